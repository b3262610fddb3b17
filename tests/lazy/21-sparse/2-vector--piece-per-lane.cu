// lazy: sparse/2-vector
// expect: gate global_load_sectors + texture_sectors <= 1.66 * nonzeros
// Each lane takes consecutive entries of its own, so a request touches a sector per lane or two.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  const int share = (end - row_start[row] + 31) / 32 * 4;  // entries per group of four lanes
  const int first = row_start[row] + lane / 4 * share;
  for (int k = first; k < min(first + share, end); ++k)
    if (lane % 4 == 0) sum += value[k] * x[col[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
