// How long blocks take that load all at once what they sum, by how they end: with nothing, a store, a fence, or the last block's
// pattern. Blocks of 1024 threads leave an SM two of them: who fences keeps half of it from loading.
//   nvcc -O3 -std=c++17 -arch=sm_90 tails.cu -o tails && ./tails
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
#include <cstdio>

#include "replay.cuh"
#include "tails.cuh"

template <int loads, Tail tail>
__global__ void summed(const float4* in, float* out, unsigned* count) { tail_body<loads, tail>(in, out, count); }

static float4* g_in;
static float* g_out;
static unsigned* g_count;
static double g_nothing;

template <int loads, Tail tail>
void report(const char* name) {
  for (unsigned threads : {256u, 512u, 1024u})
    for (unsigned mib : {16u, 32u, 128u}) {
      const unsigned blocks = mib * 65536u / (threads * loads);
      const double us = replay(true, [&] { summed<loads, tail><<<blocks, threads, 0, g_stream>>>(g_in, g_out, g_count); }) - g_nothing;
      std::printf("tails %4u threads, %d loads, %-6s %3u MiB  %8.3f us\n", threads, loads, name, mib, us);
    }
}
template <int loads>
void reports() {
  report<loads, kNone>("none,"), report<loads, kStore>("store,"), report<loads, kFence>("fence,"), report<loads, kCount>("count,");
}

int main() {
  constexpr size_t most = size_t(128) << 20;
  if (!replay_ready() || cudaMalloc((void**)&g_in, most) != cudaSuccess || cudaMalloc((void**)&g_out, 1 << 20) != cudaSuccess ||
      cudaMalloc((void**)&g_count, 4) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(g_in, 0, most), cudaMemset(g_out, 0, 1 << 20), cudaMemset(g_count, 0, 4);
  g_nothing = replay(true, nullptr);
  reports<1>(), reports<2>(), reports<4>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
