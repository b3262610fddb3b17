// wrong: sparse/4-ell
// mistake: Threads past the last row have none. They read beyond the entries and must return first.
// expect: finding out_of_bounds
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[col[k * rows + row]];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
