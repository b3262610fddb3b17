// lazy: sparse/1-scalar
// expect: gate time_us <= 1.5 * reference(self)
// All 32 lanes of a warp compute the same row.
constexpr int threads = 32;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = blockIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[col[k]];
  if (threadIdx.x == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<rows, threads>>>(row_start, col, value, x, y, rows);
}
