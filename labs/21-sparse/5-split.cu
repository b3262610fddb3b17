// y = A x for a sparse matrix in CSR whose row lengths follow a power law: one warp per row.
// Bound by the longest row: one warp has half as many non-zeros as there are rows.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  // TODO: give each warp the same number of consecutive non-zeros, not the same number of rows.
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + lane; k < end; k += 32) sum += value[k] * x[col[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
