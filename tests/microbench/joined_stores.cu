// Stores of parts of the same sectors, which the L1 joins if they follow each other soon: by what the warp
// does in between, by the sectors that it stores to in between, and by the warps of an SM.
//   nvcc -O3 -std=c++17 -arch=sm_90 joined_stores.cu -o joined_stores && ./joined_stores
// Microseconds per kernel of a graph of kernels; all of it stays in the L2. With an argument each kernel is
// launched once, for `ncu --csv --metrics lts__t_sectors_srcunit_tex_op_write.sum,...`.
#include <cstdio>

#include "joined_stores.cuh"
#include "replay.cuh"

template <Between B>
__global__ void joined_stores(const float* in, float* out, unsigned rounds, unsigned sets, unsigned amount,
                              unsigned words) {
  joined_stores_body<B>(in, out, rounds, sets, amount, words);
}

static float *in, *out;
static bool once;

template <Between B>
static void report(const char* name, unsigned blocks, unsigned warps, unsigned sets, unsigned amount) {
  const unsigned words = 4u << 20, rounds = sets > 4 ? 4 : 16;
  const auto launch = [&] {
    joined_stores<B><<<blocks, 32 * warps, 0, g_stream>>>(in, out, rounds, sets, amount, words);
  };
  double us = 0;
  if (once)
    launch(), cudaStreamSynchronize(g_stream);
  else
    us = replay(false, launch);
  std::printf("%-8s %3u blocks %2u warps %2u sets %3u between %2u rounds  %9.3f us\n", name, blocks, warps,
              sets, amount, rounds, us);
}

int main(int count, char**) {
  const size_t bytes = size_t(16) << 20;
  if (!replay_ready() || cudaMalloc((void**)&in, bytes) != cudaSuccess ||
      cudaMalloc((void**)&out, 2 * bytes) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, bytes), cudaMemset(out, 0, 2 * bytes);
  once = count > 1;
  for (unsigned blocks : {1u, 132u})
    for (unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
      report<Between::straight>("straight", blocks, warps, 1, 0);
      report<Between::nothing>("nothing", blocks, warps, 1, 0);
    }
  report<Between::straight>("straight", 264, 32, 1, 0);
  report<Between::nothing>("nothing", 264, 32, 1, 0);
  for (unsigned sets : {2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u})
    report<Between::nothing>("nothing", 1, 1, sets, 0), report<Between::nothing>("nothing", 1, 4, sets, 0);
  for (unsigned blocks : {1u, 132u})
    for (unsigned warps : {1u, 8u, 32u}) {
      for (unsigned amount : {4u, 16u, 64u, 256u}) report<Between::work>("work", blocks, warps, 1, amount);
      for (unsigned amount : {1u, 4u}) report<Between::shared>("shared", blocks, warps, 1, amount);
      for (unsigned amount : {1u, 4u}) report<Between::load>("load", blocks, warps, 1, amount);
      for (unsigned amount : {1u, 2u, 4u, 8u}) report<Between::line>("line", blocks, warps, 1, amount);
      report<Between::chunk>("chunk", blocks, warps, 1, 0);
    }
  report<Between::chunk>("chunk", 264, 32, 1, 0);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
