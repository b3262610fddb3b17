// lazy: sparse/2-vector
// expect: gate instructions <= 2.7 * nonzeros
// Lanes store their sums in shared memory, and lane 0 adds them up.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row] + lane; k < end; k += 32) sum += value[k] * x[col[k]];
  __shared__ volatile float sums[threads];
  sums[threadIdx.x] = sum;
  __syncwarp();
  if (lane != 0) return;
  float total = 0;
  for (int l = 0; l < 32; ++l) total += sums[threadIdx.x + l];
  y[row] = total;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
