// unconventional: sparse/2-vector
// A row per block, and a block is one warp.
__global__ void k(const int* rs, const int* col, const float* val, const float* x, float* y, int rows) {
  const int row = blockIdx.x;
  const int b = rs[row], e = rs[row + 1];
  float s = 0;
  for (int i = b + threadIdx.x; i < e; i += 32) s += val[i] * x[col[i]];
  s += __shfl_down_sync(~0u, s, 16);
  s += __shfl_down_sync(~0u, s, 8);
  s += __shfl_down_sync(~0u, s, 4);
  s += __shfl_down_sync(~0u, s, 2);
  s += __shfl_down_sync(~0u, s, 1);
  if (threadIdx.x == 0) y[row] = s;
}
void spmv(const int* rs, const int* col, const float* val, const float* x, float* y, int rows) {
  if (rows) k<<<rows, 32>>>(rs, col, val, x, y, rows);
}
