// lazy: sparse/2-vector
// expect: gate time_us <= 1.6 * reference(self)
// All lanes add to y by atomics, after a launch that clears it.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + lane; k < end; k += 32) sum += value[k] * x[col[k]];
  atomicAdd(&y[row], sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
