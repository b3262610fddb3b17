// unconventional: sparse/4-ell
// Padding is skipped, not multiplied.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const float v = value[k * rows + row];
    if (v != 0) sum += v * x[col[k * rows + row]];
  }
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
