// lazy: textures/1-constant
// expect: gate time_us <= 1.5 * reference(self)
// Constant weights, but a single block goes over the whole image.
__constant__ float filter[9];

__global__ void blur_kernel(const float* in, float* out, int w, int h) {
  for (int y = threadIdx.y; y < h; y += blockDim.y)
  for (int x = threadIdx.x; x < w; x += blockDim.x) {
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
      sum += filter[(dy + 1) * 3 + dx + 1] * __ldg(&in[py * w + px]);
    }
  out[y * w + x] = sum;
  }
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  const dim3 block(32, 8), grid(1);
  blur_kernel<<<grid, block>>>(in, out, w, h);
}
