// unconventional: textures/6-bilateral
// __expf of the sum of exponents, and blocks of 64 x 2.
__global__ void bilateral_kernel(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float centre = in[y * w + x];
  float sum = 0, weights = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
    for (int dx = -2; dx <= 2; ++dx) {
      const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
      const float v = in[py * w + px], d = v - centre;
      const float weight = __expf(-(dx * dx + dy * dy) / 8.0f - d * d * 8.0f);
      sum += weight * v;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  const dim3 block(64, 2), grid((w + 63) / 64, (h + 1) / 2);
  bilateral_kernel<<<grid, block>>>(in, out, w, h);
}
