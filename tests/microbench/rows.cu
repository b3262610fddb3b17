// What kernels take whose warps load a row each, all of it at once, work on it and store it or one word of it, by how many rows
// there are: an H100 has room for 1056 blocks of 4 warps, so the last wave is full or nearly empty.
//   nvcc -O3 -std=c++17 -arch=sm_90 rows.cu -o rows && ./rows
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2).
//   ncu --cache-control none --clock-control none --metrics dram__bytes_write.sum,dram__bytes_read.sum -k regex:row ./rows once
// runs each once behind an emptied L2: what was stored and not written to DRAM is left.
#include <cstdio>

#include "replay.cuh"
#include "rows.cuh"

static bool g_once;

template <int PACKS, int WORK, bool STORE> __global__ void row(const float4* in, float4* out) { row_body<PACKS, WORK, STORE>(in, out); }

constexpr size_t kMost = size_t(64) << 20;

template <int PACKS, int WORK, bool STORE> void show(const char* work, double nothing, const float4* in, float4* out) {
  for (int warps : {1, 4, 8}) {
    int blocks_an_sm = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_an_sm, row<PACKS, WORK, STORE>, warps * 32, 0);
    for (size_t kib : {512, 1024, 3072, 6144, 12288, 18432, 24576, 32768, 49152}) {
      const unsigned blocks = unsigned(kib * 1024 / 512 / PACKS / size_t(warps));
      if (g_once) {
        if (kib >= 6144) empty_l2(), row<PACKS, WORK, STORE><<<blocks, warps * 32, 0, g_stream>>>(in, out);
        continue;
      }
      const double us = replay(true, [&] { row<PACKS, WORK, STORE><<<blocks, warps * 32, 0, g_stream>>>(in, out); }) - nothing;
      std::printf("rows %d packs, %-12s %-6s, %d warps a block, %2d an SM, %5zu KiB  %8.3f us\n", PACKS, work, STORE ? "stored" : "summed", warps,
                  blocks_an_sm, kib, us);
    }
  }
}
template <int PACKS> void all(double nothing, const float4* in, float4* out) {
  show<PACKS, kMove, true>("moved", nothing, in, out);
  show<PACKS, kShuffles, false>("shuffled", nothing, in, out), show<PACKS, kShuffles, true>("shuffled", nothing, in, out);
  show<PACKS, kExponentials, true>("exponentials", nothing, in, out);
  show<PACKS, kDivisions, true>("divisions", nothing, in, out);
}

int main(int argc, char**) {
  g_once = argc > 1;
  float4 *in, *out;
  if (!replay_ready() || cudaMalloc((void**)&in, kMost) != cudaSuccess || cudaMalloc((void**)&out, kMost) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kMost), cudaMemset(out, 0, kMost);
  const double nothing = g_once ? 0 : replay(true, nullptr);
  all<1>(nothing, in, out), all<2>(nothing, in, out), all<8>(nothing, in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
