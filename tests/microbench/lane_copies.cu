// Bulk copies (cp.async.bulk) that several lanes of a warp make, as cuda::memcpy_async does for each thread:
// UBLKCP takes its operands from uniform registers, so that ptxas lets the lanes issue one after another.
//   nvcc -O3 -std=c++17 -arch=sm_90 lane_copies.cu -o lane_copies && ./lane_copies
// Microseconds: a graph of kernels behind an emptied L2, less one of (empty the L2), as streams.cu's. With an
// argument each kernel is launched once, for `ncu --csv --metrics smsp__inst_executed.sum`.
#include <cstdio>

#include "lane_copies.cuh"
#include "replay.cuh"

__global__ void lane_copies(const char* in, unsigned* out, int rounds, unsigned lanes, unsigned bytes) {
  lane_copies_body(in, out, rounds, lanes, bytes);
}

int main(int count, char**) {
  char* in;
  unsigned* out;
  if (!replay_ready() || cudaMalloc((void**)&in, 96 << 20) != cudaSuccess ||
      cudaMalloc((void**)&out, 1 << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, 96 << 20);
  cudaFuncSetAttribute(lane_copies, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 << 10);
  const bool once = count > 1;
  const double emptied = once ? 0 : replay(true, nullptr);
  const auto report = [&](int blocks, int warps, unsigned lanes, unsigned bytes) {
    for (int rounds : {16, 80}) {
      const auto launch = [&] {
        lane_copies<<<blocks, 32 * warps, 32 * warps * bytes, g_stream>>>(in, out, rounds, lanes, bytes);
      };
      double us = 0;
      if (once)
        launch(), cudaStreamSynchronize(g_stream);
      else
        us = replay(true, launch) - emptied;
      std::printf("copies %3d blocks %d warps %2u lanes %4u bytes %2d rounds  %9.3f us\n", blocks, warps,
                  lanes, bytes, rounds, us);
    }
  };
  for (unsigned lanes : {1, 2, 4, 8, 16, 32}) report(132, 1, lanes, 16);
  for (unsigned lanes : {1, 8, 32})
    for (unsigned bytes : {64, 256, 1024}) report(132, 1, lanes, bytes);
  for (int warps : {2, 4, 8})
    for (unsigned lanes : {1, 8, 32}) report(132, warps, lanes, 16);
  for (int warps : {2, 4})
    for (unsigned bytes : {256, 1024}) report(132, warps, 32, bytes);
  for (int blocks : {1, 264, 528})
    for (unsigned lanes : {1, 32}) report(blocks, 1, lanes, 16);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
