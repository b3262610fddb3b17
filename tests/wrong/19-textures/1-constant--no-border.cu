// wrong: textures/1-constant
// mistake: Pixels outside of the image are left out of the sum. The border pixel should be repeated.
// expect: wrong
__constant__ float filter[9];

__global__ void blur_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int px = x + dx, py = y + dy;
      if (px < 0 || px >= w || py < 0 || py >= h) continue;
      sum += filter[(dy + 1) * 3 + dx + 1] * __ldg(&in[py * w + px]);
    }
  out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  blur_kernel<<<grid, block>>>(in, out, w, h);
}
