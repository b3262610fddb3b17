// lazy: sparse/1-scalar
// expect: gate time_us <= 1.5 * reference(self)
// One block of 1024 threads goes through all rows.
constexpr int threads = 1024;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  for (int row = threadIdx.x; row < rows; row += threads) {
    float sum = 0;
    const int end = row_start[row + 1];
    for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[col[k]];
    y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<1, threads>>>(row_start, col, value, x, y, rows);
}
