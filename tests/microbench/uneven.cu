// Additions to few words by grids that give some SMs a block more than others: the additions wait for each other, on whichever SM
// their blocks are.
//   nvcc -O3 -std=c++17 -arch=sm_90 uneven.cu -o uneven && ./uneven
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
#include <cstdio>

#include "replay.cuh"
#include "uneven.cuh"

__global__ void uneven(int* sums, unsigned words) { uneven_body(sums, words); }

int main() {
  int* sums;
  if (!replay_ready() || cudaMalloc((void**)&sums, 1 << 20) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaMemset(sums, 0, 1 << 20);
  const double nothing = replay(true, nullptr);
  for (unsigned words : {8u, 50u, 256u, 4096u})
    for (unsigned blocks : {66u, 100u, 132u, 133u, 157u, 200u, 264u, 270u, 330u, 528u, 600u, 1056u}) {
      const double us = replay(true, [&] { uneven<<<blocks, 256, 0, g_stream>>>(sums, words); }) - nothing;
      std::printf("uneven %5u blocks, %4u words  %8.3f us\n", blocks, words, us);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
