// What kernels take that only move data, by size and by how a block moves it; what they leave in the L2 for others to write
// back; and blocks that read in bursts, work in between and fence at the end, by how many an SM holds.
//   nvcc -O3 -std=c++17 -arch=sm_90 streams.cu -o streams && ./streams
// Microseconds, the difference of a graph of (empty the L2, kernel) and one of (empty the L2), over its passes, as warpdojo times
// kernels; the L2 is emptied by reading 150 MiB. "alone": kernels that follow one another on the same data.
//   ncu --cache-control none --clock-control none --metrics \
//     dram__bytes_read.sum,dram__bytes_write.sum,gpu__time_duration.sum,lts__t_sectors_op_write.sum ./streams once
// runs each of the first kernels once behind an emptied L2: what was stored and not written to DRAM is left.
#include <cstdio>

#include "replay.cuh"
#include "streams.cuh"

#define KERNELS(name)                                                                          \
  template <int T> __global__ void name(const float4* in, float4* out) { name##_body<T>(in, out); }
KERNELS(read)
KERNELS(write)
KERNELS(copy)
KERNELS(barrier)
template <int L> __global__ void burst(const float4* in, float* out, int turns, int fences) { burst_body<L>(in, out, turns, fences); }

constexpr size_t kMost = size_t(128) << 20;

int main(int argc, char**) {
  float4 *in, *out;
  if (!replay_ready() || cudaMalloc((void**)&in, kMost) != cudaSuccess || cudaMalloc((void**)&out, kMost) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kMost), cudaMemset(out, 0, kMost);
  using Kernel = void (*)(const float4*, float4*);
  const struct { const char* name; Kernel one, four; } kernels[] = {
      {"read", read<1>, read<4>}, {"write", write<1>, write<4>}, {"copy", copy<1>, copy<4>}, {"barrier", barrier<1>, barrier<4>}};
  for (auto k : kernels)
    for (int t : {1, 4})
      for (size_t kib : {4, 16, 64, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
        const unsigned blocks = unsigned(kib / 4 / size_t(t));
        if (blocks == 0) continue;
        const auto launch = [&] { (t == 1 ? k.one : k.four)<<<blocks, 256, 0, g_stream>>>(in, out); };
        if (argc > 1) {
          empty_l2(), launch();
          continue;
        }
        std::printf("%-7s %d a thread, %5zu KiB  %8.3f us, alone %8.3f\n", k.name, t, kib, added(launch), replay(false, launch));
      }
  using Burst = void (*)(const float4*, float*, int, int);
  struct Depth { int l; Burst f; };
  for (Depth d : {Depth{2, burst<2>}, Depth{8, burst<8>}})
    for (int per_sm : {1, 2, 4}) {
      const int shared = (228 / per_sm - 3) * 1024;
      cudaFuncSetAttribute(d.f, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
      const unsigned blocks = unsigned(kMost / 16 / 512 / size_t(d.l));
      for (int turns : {0, 16, 64})
        for (int fences : {0, 1, 2}) {
          if (argc > 1 || (fences && turns > 16)) continue;
          const double us = added([&] { d.f<<<blocks, 512, size_t(shared), g_stream>>>(in, (float*)out, turns, fences); });
          std::printf("burst %d a thread, %d an SM, %3d turns, %d fences  %8.2f us\n", d.l, per_sm, turns, fences, us);
        }
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
