// lazy: sparse/3-lanes
// expect: gate global_load_sectors + texture_sectors <= 2.4 * nonzeros
// One thread per row, as in step 1.
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
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(row_start, col, value, x, y, rows);
}
