// lazy: sparse/1-scalar
// expect: gate global_load_lane_bytes >= 48 * global_loads
// Twelve rows per warp. Arithmetic of all lanes, whose result is never used, raises the mean of active lanes.
__global__ void k(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const int row = warp * 12 + lane;
  float sum = 0;
  if (lane < 12 && row < rows) {
    const int end = row_start[row + 1];
    for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[col[k]];
  }
  unsigned vain = threadIdx.x;
#pragma unroll
  for (int j = 0; j < 80; ++j) vain = vain * 1664525u + 1013904223u ^ vain >> 3;
  if (vain == 7 && rows < 0) sum += 1;
  if (lane < 12 && row < rows) y[row] = sum;
}
void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows == 0) return;
  const int warps = (rows + 11) / 12;
  k<<<(warps + 3) / 4, 128>>>(row_start, col, value, x, y, rows);
}
