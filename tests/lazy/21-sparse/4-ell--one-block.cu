// lazy: sparse/4-ell
// expect: gate time_us <= 1.5 * reference(self)
// One block goes through all rows.
constexpr int threads = 1024;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  for (int row = threadIdx.x; row < rows; row += threads) {
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[col[k * rows + row]];
    y[row] = sum;
  }
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<1, threads>>>(col, value, x, y, rows, width);
}
