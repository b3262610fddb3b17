// unconventional: reduce/8-shuffle
// Shuffles in PTX, words in dynamic shared memory.
__device__ __forceinline__ float down(float v, int d) {
  float o;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(o) : "f"(v), "r"(d));
  return v + o;
}
__global__ void k(const float* in, float* partials, int n) {
  extern __shared__ float s[];
  const size_t i = size_t(blockIdx.x) * 512 + threadIdx.x;
  float v = i < size_t(n) ? in[i] : 0.0f;
  if (i + 256 < size_t(n)) v += in[i + 256];
#pragma unroll
  for (int d = 16; d; d >>= 1) v = down(v, d);
  if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  v = threadIdx.x < 8 ? s[threadIdx.x] : 0;
  for (int d = 4; d; d >>= 1) v = down(v, d);
  if (threadIdx.x == 0) partials[blockIdx.x] = v;
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 256, 32>>>(in, partials, n);
}
