// lazy: sparse/1-scalar
// expect: gate global_load_lane_bytes <= 1.4 * (12 * nonzeros + 8 * rows)
// Two lanes compute each row, and one of them stores it: most lanes work, half of them for nothing.
__global__ void k(const int* rs, const int* col, const float* val, const float* x, float* y, int rows) {
  const int row = (blockIdx.x * 128 + threadIdx.x) / 2;
  if (row >= rows) return;
  float s = 0;
  for (int i = rs[row]; i < rs[row + 1]; ++i) s += val[i] * x[col[i]];
  if (threadIdx.x % 2 == 0) y[row] = s;
}
void spmv(const int* rs, const int* col, const float* val, const float* x, float* y, int rows) {
  if (rows) k<<<(rows + 63) / 64, 128>>>(rs, col, val, x, y, rows);
}
