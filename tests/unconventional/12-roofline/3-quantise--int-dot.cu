// unconventional: roofline/3-quantise
// Words taken apart by shifts, two rows per warp.
__global__ void k(const signed char* q, const float* scale, const float* x, float* y, int rows, int cols) {
  const int r = 2 * (blockIdx.x * blockDim.y + threadIdx.y), lane = threadIdx.x;
  if (r >= rows) return;
  const int r1 = min(r + 1, rows - 1);
  float s0 = 0, s1 = 0;
  if (cols % 4 == 0) {
    const int *a = reinterpret_cast<const int*>(q + size_t(r) * cols),
              *b = reinterpret_cast<const int*>(q + size_t(r1) * cols);
    for (int p = lane; p < cols / 4; p += 32) {
      const int u = a[p], v = b[p];
      const float4 f = reinterpret_cast<const float4*>(x)[p];
      s0 += float(u << 24 >> 24) * f.x + float(u << 16 >> 24) * f.y + float(u << 8 >> 24) * f.z +
            float(u >> 24) * f.w;
      s1 += float(v << 24 >> 24) * f.x + float(v << 16 >> 24) * f.y + float(v << 8 >> 24) * f.z +
            float(v >> 24) * f.w;
    }
  } else
    for (int c = lane; c < cols; c += 32)
      s0 += q[size_t(r) * cols + c] * x[c], s1 += q[size_t(r1) * cols + c] * x[c];
  for (int d = 16; d; d /= 2) s0 += __shfl_down_sync(~0u, s0, d), s1 += __shfl_down_sync(~0u, s1, d);
  if (lane == 0) {
    y[r] = scale[r] * s0;
    if (r1 > r) y[r1] = scale[r1] * s1;
  }
}
void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y, int rows,
          int cols) {
  if (rows) k<<<(rows + 7) / 8, dim3(32, 4)>>>(q, scale, x, y, rows, cols);
}
