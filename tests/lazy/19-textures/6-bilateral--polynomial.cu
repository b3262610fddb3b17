// lazy: textures/6-bilateral
// expect: gate instructions <= 1.4 * reference(self)
// No exponential of the hardware: a polynomial, squared four times.
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
      const float v = in[py * w + px], d = v - centre, e = -(dx * dx + dy * dy) / 8.0f / 16 - d * d / 2;
      // exp(16 e) = (1 + e + e^2 / 2 + ...) ^ 16
      float p = 1 + e * (1 + e / 2 * (1 + e / 3 * (1 + e / 4 * (1 + e / 5 * (1 + e / 6 * (1 + e / 7))))));
      p *= p, p *= p, p *= p, p *= p;
      sum += p * v;
      weights += p;
    }
  out[y * w + x] = sum / weights;
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  bilateral_kernel<<<grid, block>>>(in, out, w, h);
}
