// wrong: sparse/1-scalar
// mistake: The number of blocks was rounded down: the last rows have no thread.
// expect: finding launch_error line 19
constexpr int threads = 128;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[col[k]];
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<rows / threads, threads>>>(row_start, col, value, x, y, rows);
}
