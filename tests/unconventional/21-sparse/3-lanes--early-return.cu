// unconventional: sparse/3-lanes
// Groups without a row return before the shuffles. They wait only for lanes that have not ended, and none reads those.
constexpr int threads = 128;
constexpr int lanes = 4;  // per row
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + lane; k < end; k += lanes)
    sum += value[k] * x[col[k]];
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / lanes;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
