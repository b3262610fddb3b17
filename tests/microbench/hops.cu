// What a hop takes that hands a sum from block to block: a look at a flag that is set, a fence, clearing the flag, a load.
//   nvcc -O3 -std=c++17 -arch=sm_90 hops.cu -o hops && ./hops
// Cycles of an SM, by the time of one block of 16 threads between two events; blocks of a kernel before stored the sums and set the flags.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "hops.cuh"

template <class Kernel> void report(const char* name, Kernel kernel, int apart) {
  unsigned* flags;
  float *partial, *out;
  cudaMalloc((void**)&flags, 1024 * 128), cudaMalloc((void**)&partial, 1024 * 64), cudaMalloc((void**)&out, 4096);
  cudaEvent_t from, to;
  cudaEventCreate(&from), cudaEventCreate(&to);
  double us[2];
  for (int k = 0; k < 2; ++k) {
    std::vector<float> all;
    for (int i = 0; i < 9; ++i) {
      post<<<1024, 16>>>(flags, partial, apart);
      cudaEventRecord(from);
      kernel<<<1, 16>>>(flags, partial, out, 512 << k, apart);
      cudaEventRecord(to);
      cudaEventSynchronize(to);
      float ms = 0;
      cudaEventElapsedTime(&ms, from, to);
      all.push_back(ms);
    }
    std::sort(all.begin(), all.end());
    us[k] = all[3] * 1e3;
  }
  std::printf("%-24s %2d apart %8.0f cycles a hop\n", name, apart, (us[1] - us[0]) * 1980 / 512);
}

int main() {
  for (int apart : {1, 32}) {
    report("look", look, apart);
    report("look, clear", look_clear, apart);
    report("look, sum", look_sum, apart);
    report("look, fence", look_fence, apart);
    report("look, fence, sum", look_fence_sum, apart);
    report("look, fence, clear, sum", look_fence_clear_sum, apart);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
