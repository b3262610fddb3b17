// The first blocks wait for the others, of which each goes round a chain of lines that its L1 holds.
// (tests/microbench/acquire.cu: 39 cycles a load beside nobody and beside one who asks by volatile loads, 283
// beside one who asks by loads that acquire.)
__device__ unsigned acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__global__ void beside(const int* next, unsigned* done, int* out, int loads, int how) {
  const unsigned half = gridDim.x / 2;
  if (blockIdx.x < half) {
    unsigned* flag = done + blockIdx.x;
    if (how == 0)
      while (*(volatile unsigned*)flag == 0) {
      }
    if (how == 1)
      while (acquire(flag) == 0) {
      }
    if (how == 2)
      while (acquire(flag) == 0)
        while (*(volatile unsigned*)flag == 0) {
        }
    return;
  }
  int p = 0;
  for (int i = 0; i < loads; ++i) p = next[p];
  out[blockIdx.x] = p;
  __threadfence();
  atomicExch(done + blockIdx.x - half, 1u);
}
__global__ void fenced(const float* in, float* out, int rounds, int fence) {
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += in[threadIdx.x];
    if (fence == 1) __threadfence_block();
    if (fence == 2) __threadfence();
  }
  out[threadIdx.x] = sum;
}
