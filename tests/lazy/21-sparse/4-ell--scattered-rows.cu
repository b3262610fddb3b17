// lazy: sparse/4-ell
// expect: gate global_load_sectors + texture_sectors <= 0.6 * nonzeros
// One thread per row, but consecutive threads have rows far apart.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = threadIdx.x * gridDim.x + blockIdx.x;
  if (row >= rows) return;
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[col[k * rows + row]];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int width) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
