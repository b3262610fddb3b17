// Kernels of constants.cu: loads of constants whose lanes agree or not, alone and beside other loads.
#pragma once

__constant__ int table[8192];

__global__ void chain(int steps, int ways, int stride, int* out, long long* cycles) {
  int at = int(threadIdx.x) % ways * stride;  // table[i] is i
  const long long a = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) at = table[at];
  }
  const long long b = clock64();
  out[threadIdx.x] = at, cycles[threadIdx.x / 32] = b - a;
}
// Eight loads a step whose addresses don't depend on each other.
__global__ void many(int steps, int ways, int* out, long long* cycles) {
  int at[8], lane = int(threadIdx.x) % ways;
  for (int k = 0; k < 8; ++k) at[k] = lane + 32 * k;
  __syncthreads();
  const long long a = clock64();
#pragma unroll 1
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int k = 0; k < 8; ++k) at[k] = table[at[k]];
  }
  const long long b = clock64();
  int s = 0;
  for (int k = 0; k < 8; ++k) s += at[k];
  out[threadIdx.x] = s, cycles[threadIdx.x / 32] = b - a;
}
// Warp 0 walks; the others load from global (way 1: a line, 2: words in one bank) or shared memory (3: words in one bank).
__global__ void beside(int steps, int way, const int* in, int* out, long long* cycles) {
  __shared__ int words[1024];
  __shared__ volatile int over;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = i;
  if (threadIdx.x == 0) over = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    int at = 0;
    for (int k = 0; k < 8; ++k) at = table[at];
    const long long a = clock64();
#pragma unroll 1
    for (int i = 0; i < steps; ++i) {
#pragma unroll
      for (int k = 0; k < 8; ++k) at = table[at];
    }
    const long long b = clock64();
    out[threadIdx.x] = at, cycles[0] = b - a;
    over = 1;
  } else {
    int s = 0;
    const int lane = threadIdx.x % 32;
    while (!over) {
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        int v = 0;
        if (way == 1) asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(in + lane));
        if (way == 2) asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v) : "l"(in + lane * 32));
        if (way == 3) v = ((volatile int*)words)[lane * 32];
        s += v;
      }
    }
    out[threadIdx.x] = s;
  }
}
