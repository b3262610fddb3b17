// Blocks that read and then add one float each to a word, or to one of a few: the additions take turns, and loads that go to the same
// part of the L2 wait behind them.
//   nvcc -O3 -std=c++17 -arch=sm_90 sums.cu -o sums && ./sums
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
#include <cstdio>

#include "replay.cuh"
#include "sums.cuh"

__global__ void sum(const float4* in, float* out, int words) { sum_body(in, out, words); }

int main() {
  constexpr size_t most = size_t(128) << 20;
  float4* in;
  float* out;
  if (!replay_ready() || cudaMalloc((void**)&in, most) != cudaSuccess || cudaMalloc((void**)&out, 1 << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, most), cudaMemset(out, 0, 1 << 20);
  const double nothing = replay(true, nullptr);
  for (int words : {0, 1, 2, 4, 16, 256})
    for (unsigned blocks : {132u, 264u, 528u, 1056u, 2112u, 4224u, 8448u, 16384u, 32768u}) {
      const double us = replay(true, [&] { sum<<<blocks, 256, 0, g_stream>>>(in, out, words); }) - nothing;
      std::printf("sums %5u blocks, %3d words  %8.3f us\n", blocks, words, us);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
