// lazy: reduce/1-global
// expect: gate global_load_lane_bytes >= 5.9 * n
// Shuffles add, and each thread stores its sum so that the stores are enough.
__global__ void k(float* data, float* partials) {
  const int i = blockIdx.x * 32 * 8 + threadIdx.x;
  float* mine = data + i;
  float v = *mine;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  *mine = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    float w = threadIdx.x < 8 ? data[blockIdx.x * 256 + threadIdx.x * 32] : 0;
    for (int o = 4; o > 0; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (threadIdx.x == 0) partials[blockIdx.x] = w;
  }
}
void reduce(float* data, float* partials, int n) {
  if (n) k<<<n / 256, 256>>>(data, partials);
}
