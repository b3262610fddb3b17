// wrong: sparse/4-ell
// mistake: Entry k of row i is at k * rows + i. The kernel reads i * width + k, as if rows were stored one after the other.
// expect: wrong
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = 0; k < width; ++k) sum += value[row * width + k] * x[col[row * width + k]];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
