// unconventional: reduce/10-finish-atomic
// Each warp sums 1024 floats and adds them by red.global, from PTX.
__global__ void k(const float* __restrict__ in, float* sum, int n) {
  const int lane = threadIdx.x & 31;
  const long long base = (blockIdx.x * 8ll + (threadIdx.x >> 5)) * 1024;
  float v = 0;
#pragma unroll
  for (int j = 0; j < 32; ++j) { const long long i = base + 32 * j + lane; if (i < n) v += in[i]; }
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if (lane == 0 && base < n) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(v) : "memory");
}
void reduce(const float* in, float* sum, int n) {
  cudaMemsetAsync(sum, 0, 4);
  if (n) k<<<(n + 8191) / 8192, 256>>>(in, sum, n);
}
