// lazy: reduce/1-global
// expect: gate ptx(shfl) == 0
// Shuffles add. Loads and stores whose values are never used make up the traffic.
__global__ void k(float* data, float* partials) {
  volatile float* mine = data + blockIdx.x * 256;
  const unsigned tid = threadIdx.x, lane = tid % 32;
  float v = mine[tid];
  float vain = mine[tid ^ 1];
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  __syncthreads();
  mine[tid] = v;
  __syncthreads();
  if (tid < 32) {
    float w = lane < 8 ? mine[32 * lane] : 0.0f;
    for (int o = 4; o; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (lane == 0) partials[blockIdx.x] = w;
  }
}
void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  k<<<n / 256, 256>>>(data, partials);
}
