// lazy: sparse/2-vector
// expect: gate instructions <= 2.7 * nonzeros
// Lane 0 adds up 32 sums from shared memory.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value, const float* x,
                            float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + lane; k < end; k += 32) sum += value[k] * x[col[k]];
  __shared__ float sums[threads];
  sums[threadIdx.x] = sum;
  __syncwarp();
  if (lane == 0) {
    for (int l = 1; l < 32; ++l) sum += sums[threadIdx.x + l];
    y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
