// lazy: reduce/1-global-modulo
// expect: gate time_us <= 1.25 * reference(self)
// One lane per warp adds 31 pairs, one after the other: many loads and stores, and no rounds.
__global__ void k(float* data, float* partials) {
  float* mine = data + blockIdx.x * 256;
  const int w = threadIdx.x / 32 * 32;
  if (threadIdx.x % 32 == 0)
    for (int j = 1; j < 32; ++j) *(volatile float*)&mine[w] = *(volatile float*)&mine[w] + mine[w + j];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int j = 32; j < 256; j += 32) mine[0] += mine[j];
    partials[blockIdx.x] = mine[0];
  }
}
void reduce(float* data, float* partials, int n) {
  if (n) k<<<n / 256, 256>>>(data, partials);
}
