// unconventional: sparse/1-scalar
// Two pointers walk through the row, in blocks of 64 threads.
constexpr int threads = 64;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int* c = col + row_start[row];
  const float* v = value + row_start[row];
  for (int left = row_start[row + 1] - row_start[row]; left > 0; --left) sum += *v++ * x[*c++];
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(row_start, col, value, x, y, rows);
}
