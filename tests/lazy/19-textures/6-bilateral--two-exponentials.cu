// lazy: textures/6-bilateral
// expect: gate instructions <= 1.4 * reference(self)
// Pixels come by plain loads, but each takes two exponentials.
__global__ void bilateral_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float centre = in[y * w + x];
  float sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
      const float v = in[py * w + px], d = v - centre;
      const float weight = expf(-(dx * dx + dy * dy) / 8.0f) * expf(-d * d * 8.0f);
      sum += weight * v;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  bilateral_kernel<<<grid, block>>>(in, out, w, h);
}
