// unconventional: textures/4-wrap
// Comparisons and plain loads: fewer instructions and less time than by the sampler.
__global__ void diffuse_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  const int l = x ? x - 1 : w - 1, r = x + 1 == w ? 0 : x + 1, u = y ? y - 1 : h - 1,
            d = y + 1 == h ? 0 : y + 1;
  const float* row = in + y * w;
  const float here = row[x], around = row[l] + row[r] + in[u * w + x] + in[d * w + x];
  out[y * w + x] = here + (around - 4 * here) / 8;
}
void diffuse(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  diffuse_kernel<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, out, w, h);
}
