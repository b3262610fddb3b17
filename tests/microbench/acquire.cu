// What warps that wait for others do to warps that work beside them: a fence and a load that acquires empty the SM's L1, so
// loads that hit there before go to the L2. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 acquire.cu -o acquire && ./acquire
// One block an SM: its first warp works, the others wait in one of the ways below. Cycles are medians over blocks.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

enum Way { kNone, kFence, kAcquire, kAcquireOne, kVolatile, kAtomic, kAcquireSleep };
const char* names[] = {"nobody", "fence", "acquire, own word", "acquire, one word", "volatile, own word", "atomic, one word", "acquire, sleeping"};

__device__ unsigned acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

// The warps behind the first wait until it has done its work; in out[2] how often they asked, all together.
template <int WAY> __device__ void wait_for(volatile int* done, unsigned* words, unsigned* asked) {
  unsigned* own = words + 32 + (blockIdx.x * 32 + threadIdx.x / 32) * 32;
  unsigned n = 0, sum = 0;
  while (!*done && n < 1000000) {
    if (WAY == kFence) __threadfence();
    if (WAY == kAcquire || WAY == kAcquireSleep) sum += acquire(own);
    if (WAY == kAcquireOne) sum += acquire(words);
    if (WAY == kVolatile) sum += *(volatile unsigned*)own;
    if (WAY == kAtomic) sum += atomicAdd(words, 0u);
    if (WAY == kAcquireSleep) __nanosleep(200);
    ++n;
  }
  if (sum == 12345) words[0] = 1;
  if (threadIdx.x % 32 == 0) atomicAdd(asked, n);
}

// Three kinds of work, timed one after another: a chase through `lines` lines, `reads` words of each, of the L1, one past it, and sums alone.
template <int WAY> __global__ void beside(const int* next, unsigned* words, int* cycles, int loads) {
  __shared__ volatile int done;
  __shared__ unsigned asked;
  if (threadIdx.x == 0) done = 0, asked = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (threadIdx.x % 32 == 0) wait_for<WAY>(&done, words, &asked);
  } else if (threadIdx.x == 0) {
    int p = 0;
    for (int i = 0; i < 64; ++i) p = next[p];
    const long long a = clock64();
    for (int i = 0; i < loads; ++i) p = next[p];
    const long long b = clock64();
    for (int i = 0; i < loads; ++i) p = __ldcg(next + p);
    const long long c = clock64();
    float f = p;
    for (int i = 0; i < 16 * loads; ++i) f = f * f + 1.0f;
    const long long d = clock64();
    cycles[blockIdx.x * 4] = int(b - a), cycles[blockIdx.x * 4 + 1] = int(c - b), cycles[blockIdx.x * 4 + 2] = int(d - c);
    if (f == 12345.0f) words[0] = p;
    done = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x * 4 + 3] = int(asked);
}

template <int WAY> void run(int waiters, int reads, const int* next, unsigned* words, int* cycles, int sms) {
  const int loads = 2000;
  std::vector<int> host(sms * 4);
  for (int r = 0; r < 2; ++r) beside<WAY><<<sms, 32 + 32 * waiters>>>(next, words, cycles, loads);
  cudaMemcpy(host.data(), cycles, host.size() * 4, cudaMemcpyDeviceToHost);
  double median[4];
  for (int k = 0; k < 4; ++k) {
    std::vector<int> v;
    for (int i = 0; i < sms; ++i) v.push_back(host[i * 4 + k]);
    std::sort(v.begin(), v.end());
    median[k] = v[sms / 2];
  }
  const double all = median[0] + median[1] + median[2];
  printf("%-20s %2d waiting, %d loads a line   load through L1 %6.1f   past it %6.1f   16 additions %6.1f cycles   one asks every %6.0f cycles\n", names[WAY],
         waiters, reads, median[0] / loads, median[1] / loads, median[2] / loads, median[3] > 0 ? all * waiters / median[3] : 0.0);
}

int main() {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return printf("no GPU\n"), 1;
  printf("# %s, acquire.cu\n", p.name);
  const int sms = p.multiProcessorCount;
  int *next, *cycles;
  unsigned* words;
  cudaMalloc(&next, 1 << 20), cudaMalloc(&cycles, sms * 16), cudaMalloc(&words, 4096 + sms * 4096);
  cudaMemset(words, 0, 4096 + sms * 4096);
  for (int reads : {1, 8}) {
    // 32 lines in turn, `reads` words of each before the next.
    std::vector<int> host(1024 + 32);
    for (int line = 0; line < 32; ++line)
      for (int k = 0; k < reads; ++k) host[line * 32 + k] = k + 1 < reads ? line * 32 + k + 1 : (line + 1) % 32 * 32;
    cudaMemcpy(next, host.data(), host.size() * 4, cudaMemcpyHostToDevice);
    run<kNone>(0, reads, next, words, cycles, sms);
    for (int waiters : {1, 2, 4, 8, 16}) {
      run<kFence>(waiters, reads, next, words, cycles, sms);
      run<kAcquire>(waiters, reads, next, words, cycles, sms);
      run<kAcquireOne>(waiters, reads, next, words, cycles, sms);
      run<kVolatile>(waiters, reads, next, words, cycles, sms);
      run<kAtomic>(waiters, reads, next, words, cycles, sms);
      run<kAcquireSleep>(waiters, reads, next, words, cycles, sms);
    }
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
