// wrong: sparse/4-ell
// mistake: The last entry of each row, at k = width - 1, is missing.
// expect: wrong
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = 0; k + 1 < width; ++k) sum += value[k * rows + row] * x[col[k * rows + row]];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
