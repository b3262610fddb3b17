// unconventional: reduce/2-shared
// A block of 256 x 4 threads with four segments.
__global__ void k(const float* __restrict__ in, float* partials, int n) {
  __shared__ float s[4][256];
  const int t = threadIdx.x, y = threadIdx.y;
  const size_t seg = size_t(blockIdx.x) * 4 + y, i = seg * 256 + t;
  s[y][t] = i < size_t(n) ? __ldg(in + i) : 0.0f;
  for (int d = 1; d < 256; d <<= 1) {
    __syncthreads();
    if (t % (2 * d) == 0) s[y][t] += s[y][t + d];
  }
  if (t == 0 && seg * 256 < size_t(n)) partials[seg] = s[y][0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 1023) / 1024, dim3(256, 4)>>>(in, partials, n);
}
