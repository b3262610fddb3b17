// unconventional: banks/2-transpose-shared
// A tile of 64 x 64. Pairs are read from it as float2.
__global__ void k(const float* in, float* out, int rows, int cols) {
  __shared__ alignas(8) float tile[64][66];
  const int x = threadIdx.x, y = threadIdx.y, c0 = blockIdx.x * 64, r0 = blockIdx.y * 64;
  for (int j = y; j < 64; j += 8)
    for (int h = 0; h < 64; h += 32)
      if (r0 + j < rows && c0 + x + h < cols)
        tile[j][x + h] = in[size_t(r0 + j) * cols + c0 + x + h];
      else
        tile[j][x + h] = 0;
  __syncthreads();
  for (int j = 2 * y; j < 64; j += 16)
    for (int h = 0; h < 64; h += 32) {
      const float2 v = *reinterpret_cast<const float2*>(&tile[x + h][j]);
      if (r0 + x + h < rows) {
        if (c0 + j < cols) out[size_t(c0 + j) * rows + r0 + x + h] = v.x;
        if (c0 + j + 1 < cols) out[size_t(c0 + j + 1) * rows + r0 + x + h] = v.y;
      }
    }
}
void transpose(const float* in, float* out, int rows, int cols) {
  if (rows && cols) k<<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(32, 8)>>>(in, out, rows, cols);
}
