// lazy: reduce/6-add-on-load
// expect: gate threads <= 0.51 * n
// A thread per element, and shuffles: few instructions, but nothing is added on load.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[16];
  const int i = blockIdx.x * 512 + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    float w = threadIdx.x < 16 ? s[threadIdx.x] : 0;
    for (int o = 8; o > 0; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (threadIdx.x == 0) partials[blockIdx.x] = w;
  }
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 512>>>(in, partials, n);
}
