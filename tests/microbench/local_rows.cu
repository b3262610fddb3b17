// Arrays in local memory: what loads, stores and updates of an element take, by the element's size, by
// whether the lanes of a warp have one index or each its own, and by the number of warps.
//   nvcc -O3 -std=c++17 -arch=sm_90 local_rows.cu -o local_rows && ./local_rows
// Microseconds: a graph of kernels behind an emptied L2, less one of (empty the L2), as streams.cu's.
#include <cstdio>

#include "local_rows.cuh"
#include "replay.cuh"

template <typename T, LocalUse USE>
__global__ void local_rows(int* out, unsigned rounds, unsigned spread) {
  local_rows_body<T, USE>(out, rounds, spread);
}

static int* out;
static double emptied;

template <typename T, LocalUse USE>
static void measure(const char* name) {
  for (unsigned threads : {32u, 64u, 256u, 1024u})
    for (unsigned spread : {0u, 1u})
      for (unsigned rounds : {16u, 272u}) {
        const double us =
            replay(true, [&] { local_rows<T, USE><<<132, threads, 0, g_stream>>>(out, rounds, spread); }) -
            emptied;
        std::printf("%-6s %2u bytes %4u threads spread %u rounds %3u  %8.3f us\n", name, unsigned(sizeof(T)),
                    threads, spread, rounds, us);
      }
}

template <typename T>
static void measure_all() {
  measure<T, LocalUse::read>("read");
  measure<T, LocalUse::write>("write");
  measure<T, LocalUse::update>("update");
}

int main() {
  if (!replay_ready() || cudaMalloc((void**)&out, 132 * 1024 * 4) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(out, 0, 132 * 1024 * 4);
  emptied = replay(true, nullptr);
  measure_all<unsigned char>();
  measure_all<short>();
  measure_all<int>();
  measure_all<long long>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
