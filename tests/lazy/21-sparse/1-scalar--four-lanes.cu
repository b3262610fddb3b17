// lazy: sparse/1-scalar
// expect: gate lanes_per_instruction >= 12
// Four lanes of each warp have a row. The others return.
constexpr int threads = 32;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = blockIdx.x * 4 + threadIdx.x;
  if (threadIdx.x >= 4 || row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[col[k]];
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + 3) / 4, threads>>>(row_start, col, value, x, y, rows);
}
