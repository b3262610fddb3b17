// Barriers of a whole grid, by the number of its blocks and of their threads: cooperative groups', and one by
// a counter.
//   nvcc -O3 -std=c++17 -arch=sm_90 grid_barriers.cu -o grid_barriers && ./grid_barriers
// Microseconds: a graph of kernels behind an emptied L2, less one of (empty the L2), as streams.cu's.
#include <cstdio>

#include "grid_barriers.cuh"
#include "replay.cuh"

__global__ void grid_barriers(int* words, unsigned barriers) { grid_barriers_body(words, barriers); }
__global__ void counted_barriers(unsigned* count, unsigned barriers) {
  counted_barriers_body(count, barriers);
}

static double emptied;

static void measure(const char* name, const void* kernel, void* at, unsigned blocks, unsigned threads) {
  for (unsigned barriers : {1u, 33u}) {
    void* arguments[] = {&at, &barriers};
    const double us =
        replay(true,
               [&] {
                 cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, g_stream);
               }) -
        emptied;
    std::printf("%-8s %4u blocks %4u threads %2u barriers  %8.3f us\n", name, blocks, threads, barriers, us);
  }
}

int main() {
  int* words;
  unsigned* count;
  if (!replay_ready() || cudaMalloc((void**)&words, 8 << 20) != cudaSuccess ||
      cudaMalloc((void**)&count, 8192) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(words, 0, 8 << 20), cudaMemset(count, 0, 8192);
  emptied = replay(true, nullptr);
  for (unsigned threads : {32u, 256u, 1024u})
    for (unsigned blocks : {1u, 8u, 32u, 64u, 132u, 264u, 528u, 1056u}) {
      if (blocks * threads > 264 * 1024) continue;
      measure("sync", (const void*)grid_barriers, nullptr, blocks, threads);
      measure("words", (const void*)grid_barriers, words, blocks, threads);
      measure("counted", (const void*)counted_barriers, count + blocks, blocks, threads);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
