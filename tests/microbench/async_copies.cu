// Tiles that pass shared memory by cp.async, with one to four in flight: what the wait for a group costs.
//   nvcc -O3 -std=c++17 -arch=sm_90 async_copies.cu -o async_copies && ./async_copies
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
#include <cstdio>

#include "async_copies.cuh"
#include "replay.cuh"

__global__ void async_1(const float4* in, float* out, int rounds) { async_body<1>(in, out, rounds); }
__global__ void async_2(const float4* in, float* out, int rounds) { async_body<2>(in, out, rounds); }
__global__ void async_4(const float4* in, float* out, int rounds) { async_body<4>(in, out, rounds); }

int main() {
  constexpr size_t most = size_t(264) * 100 * 4096;
  float4* in;
  float* out;
  if (!replay_ready() || cudaMalloc((void**)&in, most) != cudaSuccess || cudaMalloc((void**)&out, 1 << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, most);
  const double nothing = replay(true, nullptr);
  const auto report = [&](int stages, auto kernel) {
    for (int blocks : {1, 132, 264})
      for (int rounds : {20, 100}) {
        const double us = replay(true, [&] { kernel<<<blocks, 256, 0, g_stream>>>(in, out, rounds); }) - nothing;
        std::printf("async %d stages, %3d blocks, %3d rounds  %8.3f us\n", stages, blocks, rounds, us);
      }
  };
  report(1, async_1), report(2, async_2), report(4, async_4);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
