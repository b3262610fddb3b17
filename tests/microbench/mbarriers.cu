// Waits at an mbarrier: what an arrival and the wait for it take, and how often a loop of try_wait or
// test_wait polls, by the time that it waits, by the number of waiting warps, and by the lanes that arrive.
//   nvcc -O3 -std=c++17 -arch=sm_90 mbarriers.cu -o mbarriers && ./mbarriers
// Microseconds per kernel of a graph of kernels. Polls: those that failed, per wait, of the first waiting
// warp (`waits`) and of warp 0 (`works`). On an H100 a try_wait suspends its warp for up to 3.95 us. With an
// argument each kernel is launched once, for `ncu --csv --metrics smsp__inst_executed.sum`.
#include <cstdio>

#include "mbarriers.cuh"
#include "replay.cuh"

template <bool TRY>
__global__ void mbarriers(unsigned* out, int rounds, int work, unsigned lanes) {
  mbarriers_body<TRY>(out, rounds, work, lanes);
}

static unsigned* out;

template <bool TRY>
static void report(bool once, int blocks, int warps, int work, unsigned lanes) {
  const int rounds = work >= 1000000 ? 1 : work > 20000 ? 4 : 64;
  const auto launch = [&] { mbarriers<TRY><<<blocks, 32 * warps, 0, g_stream>>>(out, rounds, work, lanes); };
  double us = 0;
  if (once)
    launch(), cudaStreamSynchronize(g_stream);
  else
    us = replay(false, launch);
  unsigned failed[64] = {};
  cudaMemcpy(failed, out, sizeof failed, cudaMemcpyDeviceToHost);
  std::printf(
      "%s %3d blocks %2d warps work %7d %2u lanes %2d rounds  %9.3f us  polls works %8.2f waits %8.2f\n",
      TRY ? "try " : "test", blocks, warps, work, lanes, rounds, us, double(failed[0]) / rounds,
      double(failed[32]) / rounds);
}

int main(int count, char**) {
  if (!replay_ready() || cudaMalloc((void**)&out, 4096) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaMemset(out, 0, 4096);
  const bool once = count > 1;
  for (int work : {0, 10, 30, 100, 300, 1000, 3000, 10000, 100000}) {
    for (unsigned lanes : {1u, 32u}) report<true>(once, 132, 2, work, lanes);
    report<false>(once, 132, 2, work, 1u);
  }
  for (int warps : {3, 5, 9, 17})
    for (int work : {0, 300})
      for (unsigned lanes : {1u, 32u}) {
        report<true>(once, 132, warps, work, lanes);
        if (lanes == 1) report<false>(once, 132, warps, work, lanes);
      }
  for (int blocks : {264, 528}) report<true>(once, blocks, 5, 300, 32u);
  // A wait of several milliseconds: how long try_wait suspends a thread at most.
  for (int work : {1000000, 4000000}) report<true>(once, 1, 2, work, 1u);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
