// Stores that write sectors of 32 bytes in part: what a warp's store takes by its bytes per lane and by how
// far lanes are apart, in an array that stays in the L2.
//   nvcc -O3 -std=c++17 -arch=sm_90 partial_stores.cu -o partial_stores && ./partial_stores
// Microseconds: a graph of kernels behind an emptied L2, less one of (empty the L2), as streams.cu's; `warm`:
// the L2 is not emptied.
#include <cstdio>

#include "partial_stores.cuh"
#include "replay.cuh"

template <typename T>
__global__ void partial_stores(char* out, unsigned stride, unsigned rounds, unsigned bytes) {
  partial_stores_body<T>(out, stride, rounds, bytes);
}

static char* out;
static double emptied, chained;

template <typename T>
static void measure(unsigned blocks, unsigned stride, unsigned rounds) {
  const unsigned bytes = 16u << 20;
  const auto launch = [&] { partial_stores<T><<<blocks, 256, 0, g_stream>>>(out, stride, rounds, bytes); };
  const double cold = replay(true, launch) - emptied, warm = replay(false, launch) - chained;
  std::printf("store %2u bytes, %3u apart %4u blocks rounds %3u   cold %8.3f us  warm %8.3f us\n",
              unsigned(sizeof(T)), stride, blocks, rounds, cold, warm);
}

template <typename T>
static void measure_all() {
  for (unsigned stride = sizeof(T); stride <= 128; stride *= 2) measure<T>(132, stride, 64);
  if (sizeof(T) == 4 || sizeof(T) == 1)
    for (unsigned blocks : {1u, 16u, 66u, 528u})
      for (unsigned stride : {4u, 32u, 128u}) measure<T>(blocks, stride, 64);
}

int main() {
  if (!replay_ready() || cudaMalloc((void**)&out, 16u << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(out, 0, 16u << 20);
  emptied = replay(true, nullptr), chained = 0;
  measure_all<unsigned char>();
  measure_all<unsigned short>();
  measure_all<unsigned>();
  measure_all<uint2>();
  measure_all<uint4>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
