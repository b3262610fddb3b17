// lazy: sparse/5-split
// expect: gate time_us <= 1.5 * reference(self) (rows=131071)
// A block of four warps per row: the longest row is still one block.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y) {
  const int row = blockIdx.x;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + threadIdx.x; k < end; k += threads) sum += value[k] * x[col[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(&y[row], sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  spmv_kernel<<<rows, threads>>>(row_start, col, value, x, y);
}
