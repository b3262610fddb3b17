// unconventional: textures/4-wrap
// A thread goes down four rows by plain loads, and compares at the border.
__global__ void diffuse_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y0 = (blockIdx.y * 8 + threadIdx.y) * 4;
  if (x >= w || y0 >= h) return;
  const int l = x ? x - 1 : w - 1, r = x + 1 == w ? 0 : x + 1;
  float up = in[(y0 ? y0 - 1 : h - 1) * w + x], here = in[y0 * w + x];
  for (int y = y0; y < min(y0 + 4, h); ++y) {
    const float down = in[(y + 1 == h ? 0 : y + 1) * w + x];
    const float around = in[y * w + l] + in[y * w + r] + up + down;
    out[y * w + x] = here + (around - 4 * here) / 8;
    up = here;
    here = down;
  }
}
void diffuse(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  diffuse_kernel<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(in, out, w, h);
}
