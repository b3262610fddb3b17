// How long loads wait at a busy DRAM, with and without stores: blocks of 256 threads that read a word or two a thread, and store
// one or none, by how many of them an SM holds (shared memory says), so that latency decides what they take.
//   nvcc -O3 -std=c++17 -arch=sm_90 busy.cu -o busy && ./busy
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
#include <cstdio>

#include "busy.cuh"
#include "replay.cuh"

template <int READS, bool WRITES> __global__ void busy(const float* in, float* out, unsigned apart) { busy_body<READS, WRITES>(in, out, apart); }

constexpr unsigned kWords = 1u << 24;  // an array: 64 MiB

template <int READS, bool WRITES> void show(double nothing, const float* in, float* out) {
  cudaFuncSetAttribute(busy<READS, WRITES>, cudaFuncAttributeMaxDynamicSharedMemorySize, 112 * 1024);
  for (int threads : {64, 256})
    for (int per_sm : {2, 4, 6, 8}) {
      const int shared = per_sm == 8 ? 0 : (224 / per_sm - 2) * 1024;
      const double us = replay(true, [&] { busy<READS, WRITES><<<kWords / unsigned(threads), threads, size_t(shared), g_stream>>>(in, out, kWords); }) - nothing;
      std::printf("busy %d read, %d written, %3d threads, %d an SM, %3d KiB  %8.3f us\n", READS, int(WRITES), threads, per_sm, shared / 1024, us);
    }
}

int main() {
  float *in, *out;
  if (!replay_ready() || cudaMalloc((void**)&in, size_t(kWords) * 8) != cudaSuccess || cudaMalloc((void**)&out, size_t(kWords) * 4) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, size_t(kWords) * 8), cudaMemset(out, 0, size_t(kWords) * 4);
  const double nothing = replay(true, nullptr);
  show<1, false>(nothing, in, out), show<2, false>(nothing, in, out), show<1, true>(nothing, in, out), show<2, true>(nothing, in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
