// lazy: reduce/2-shared
// expect: gate shared_load_lane_bytes >= 3.4 * n
// Shuffles add, and each thread stores its sum so that the stores are enough.
__global__ void k(const float* in, float* partials, int n) {
  volatile __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  s[threadIdx.x] = v;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    float w = threadIdx.x < 8 ? s[threadIdx.x * 33 - threadIdx.x] : 0;
    for (int o = 4; o > 0; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (threadIdx.x == 0) partials[blockIdx.x] = w;
  }
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(in, partials, n);
}
