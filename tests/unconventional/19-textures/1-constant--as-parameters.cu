// unconventional: textures/1-constant
// Weights by value: kernel parameters lie in constant memory too.
struct Filter {
  float weight[9];
};

__global__ void blur_kernel(const float* __restrict__ in, Filter filter, float* __restrict__ out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
      sum += filter.weight[(dy + 1) * 3 + dx + 1] * in[py * w + px];
    }
  out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  Filter filter;
  for (int i = 0; i < 9; ++i) filter.weight[i] = weights[i];
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  blur_kernel<<<grid, block>>>(in, filter, out, w, h);
}
