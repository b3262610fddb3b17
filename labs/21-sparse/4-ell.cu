// y = A x for a sparse matrix in ELL: rows padded to one width, entry k of row i at k * rows + i.
// One warp per row: its lanes read entries that lie far apart. Bound by starting blocks, each of
// which has four rows.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  // TODO: choose the rows of a warp so that consecutive lanes read consecutive words.
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = lane; k < width; k += 32) sum += value[k * rows + row] * x[col[k * rows + row]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0) y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(col, value, x, y, rows, width);
}
