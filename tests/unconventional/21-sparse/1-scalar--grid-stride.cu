// unconventional: sparse/1-scalar
// 264 blocks of 256 threads, which stride through the rows.
constexpr int threads = 256;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  for (int row = blockIdx.x * threads + threadIdx.x; row < rows; row += gridDim.x * threads) {
    float sum = 0;
    const int end = row_start[row + 1];
    for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[col[k]];
    y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<264, threads>>>(row_start, col, value, x, y, rows);
}
