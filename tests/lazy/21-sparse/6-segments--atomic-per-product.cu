// lazy: sparse/6-segments
// expect: gate global_atomic_lane_bytes <= 4 * rows + nonzeros
// Each lane finds its row, and adds its product by an atomic of its own.
__device__ int row_of(int k, const int* s, int rows) {
  int low = 0, high = rows;
  while (high - low > 1) { const int m = (low + high) / 2; if (s[m] <= k) low = m; else high = m; }
  return low;
}
__global__ void k(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows, int nonzeros) {
  const int k = blockIdx.x * 128 + threadIdx.x;
  if (k < nonzeros) atomicAdd(&y[row_of(k, row_start, rows)], value[k] * x[col[k]]);
}
void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  if (nonzeros) k<<<(nonzeros + 127) / 128, 128>>>(row_start, col, value, x, y, rows, nonzeros);
}
