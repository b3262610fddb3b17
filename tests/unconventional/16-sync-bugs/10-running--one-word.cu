// unconventional: sync-bugs/10-running
// The sum and its flag share a word of 64 bits: one store posts both.
#include <cub/block/block_reduce.cuh>
__global__ void k(const float* __restrict__ in, float* sums, unsigned long long* post, int n) {
  using R = cub::BlockReduce<float, 256>;
  __shared__ typename R::TempStorage st;
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = R(st).Sum(i < n ? in[i] : 0.f);
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      unsigned long long w;
      while (((w = *(volatile unsigned long long*)(post + blockIdx.x - 1)) >> 32) == 0) ;
      v += __uint_as_float((unsigned)w);
    }
    sums[blockIdx.x] = v;
    *(volatile unsigned long long*)(post + blockIdx.x) = 1ull << 32 | __float_as_uint(v);
  }
}
void running(const float* in, float* sums, int n) {
  if (n == 0) return;
  const int b = (n + 255) / 256;
  unsigned long long* p;
  cudaMalloc(&p, b * 8);
  cudaMemset(p, 0, b * 8);
  k<<<b, 256>>>(in, sums, p, n);
  cudaFree(p);
}
