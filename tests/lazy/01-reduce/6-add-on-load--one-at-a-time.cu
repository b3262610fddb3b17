// lazy: reduce/6-add-on-load
// expect: gate shared_store_lane_bytes <= 4.05 * n
// A grid of fixed size: each thread stores one element per round in shared memory. Few threads add them there.
__global__ void k(const float* __restrict__ in, float* partials, int n, int groups) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  for (int g = blockIdx.x; g < groups; g += gridDim.x) {
    int i = g * 512 + t;
    s[t] = i < n ? in[i] : 0.f;
    __syncthreads();
    if (t < 64) { float v = 0; for (int j = 0; j < 8; ++j) v += s[t + 64 * j]; s[t] = v; }
    __syncthreads();
    if (t < 32) {
      float v = s[t] + s[t + 32];
      for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
      if (!t) partials[g] = v;
    }
    __syncthreads();
  }
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<min(2048, (n + 511) / 512), 512>>>(in, partials, n, (n + 511) / 512);
}
