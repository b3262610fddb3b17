// Which of the blocks that an SM holds end first when all do the same and ask more of it than it can give.
//   nvcc -O3 -std=c++17 -arch=sm_90 fair.cu -o fair && ./fair
// Cycles by clock64(): when the blocks of an SM end after its first one began, by the order in which they began; means of all SMs
// that held so many.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "fair.cuh"

template <Work work>
__global__ void busy(const float* in, float* out, long long* times, int turns, unsigned mask) {
  const long long begin = clock64();
  const float sum = busy_body<work>(in, turns, mask);
  if (sum == 12345.0f) out[0] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    times[blockIdx.x * 3] = begin, times[blockIdx.x * 3 + 1] = clock64(), times[blockIdx.x * 3 + 2] = sm;
  }
}

template <Work work>
void report(const char* name, const float* in, float* out, long long* times, int turns, unsigned mask) {
  for (int blocks : {264, 528, 792, 1024, 1056}) {
    std::vector<long long> t(size_t(blocks) * 3);
    for (int i = 0; i < 2; ++i) busy<work><<<blocks, 256>>>(in, out, times, turns, mask);
    cudaMemcpy(t.data(), times, t.size() * 8, cudaMemcpyDeviceToHost);
    std::vector<std::pair<long long, long long>> of[256];
    for (int b = 0; b < blocks; ++b) of[t[b * 3 + 2]].emplace_back(t[b * 3], t[b * 3 + 1]);
    for (size_t held = 1; held <= 8; ++held) {
      double end[8] = {}, n = 0;
      for (auto& sm : of) {
        if (sm.size() != held) continue;
        std::sort(sm.begin(), sm.end());
        for (size_t k = 0; k < held; ++k) end[k] += double(sm[k].second - sm[0].first);
        ++n;
      }
      if (n == 0) continue;
      std::printf("%-9s %4d blocks, %zu on %3.0f SMs: ", name, blocks, held, n);
      for (size_t k = 0; k < held; ++k) std::printf(" %7.0f", end[k] / n);
      std::printf("\n");
    }
  }
}

int main() {
  float *in, *out;
  long long* times;
  if (cudaMalloc((void**)&in, 32 << 20) != cudaSuccess || cudaMalloc((void**)&out, 4096) != cudaSuccess || cudaMalloc((void**)&times, 1 << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, 32 << 20);
  report<kMultiply>("multiply", in, out, times, 256, 0);
  report<kShared>("shared", in, out, times, 256, 0);
  report<kL1>("l1", in, out, times, 256, 0);
  report<kL1Chain>("l1 chain", in, out, times, 512, 0);
  report<kColumns>("columns", in, out, times, 128, 512 * 512 - 1);
  report<kL2>("l2", in, out, times, 32, (1 << 21) - 1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
