// What a turn of a short loop takes one warp, and what a load from DRAM takes that lies near others or far from them.
//   nvcc -O3 -std=c++17 -arch=sm_90 loops.cu -o loops && ./loops
// Cycles are those of clock64() of one lane; of DRAM, the L2 was filled with other data before.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "loops.cuh"

template <int K> __global__ void chain(float* out, int turns, long long* cycles) {
  const long long a = clock64();
  const float x = chain_turns<K>(out[threadIdx.x], turns);
  if (x != 12345.0f) *cycles = clock64() - a;
  out[threadIdx.x] = x;
}
__global__ void chase(float* out, int turns, long long* cycles, const int* next) {
  const long long a = clock64();
  const int at = chase_turns(next, turns);
  if (at >= 0) *cycles = clock64() - a;
  out[threadIdx.x] = float(at);
}
__global__ void product(float* out, int turns, long long* cycles, const float* x, const float* y, int width) {
  const long long a = clock64();
  const float sum = product_turns(x, y, turns, width);
  if (sum != 12345.0f) *cycles = clock64() - a;
  out[threadIdx.x] = sum;
}
__global__ void skip(float* out, int turns, long long* cycles, int mask) {
  const long long a = clock64();
  const float x = skip_turns(out[threadIdx.x], turns, mask);
  if (x != 12345.0f) *cycles = clock64() - a;
  out[threadIdx.x] = x;
}

/// Follows a chain of 8-byte offsets past the L1; each block has a chain of its own, `apart` words on, or all the same one.
__global__ void walk(const long long* next, int steps, size_t apart, long long* cycles) {
  const long long* from = next + blockIdx.x * apart;
  long long at = 0;
  const long long a = clock64();
  for (int i = 0; i < steps; ++i) asm volatile("ld.global.cg.s64 %0, [%1];" : "=l"(at) : "l"(from + at));
  if (at >= 0) cycles[blockIdx.x] = clock64() - a;
}
__global__ void read_all(const float* p, size_t n, float* out) {
  float s = 0;
  for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(gridDim.x) * 256) s += p[i];
  if (s == 12345.0f) *out = s;
}

static float* g_out;
static long long* g_cycles;

template <class Launch> void report(const char* name, int threads, Launch launch) {
  long long c[2] = {};
  for (int round = 0; round < 2; ++round)  // the first round brings the code
    for (int i = 0; i < 2; ++i) {
      launch(2048 << i, threads);
      cudaMemcpy(c + i, g_cycles, 8, cudaMemcpyDeviceToHost);
    }
  std::printf("%-32s %8.1f cycles a turn\n", name, double(c[1] - c[0]) / 2048);
}

/// Chains of `steps` words `stride` bytes apart, in order or shuffled; 1 block, 132 blocks on one chain, or one each.
void dram(size_t stride, int steps, bool shuffled, float* other, size_t others) {
  const size_t words = stride / 8 * size_t(steps);
  const size_t chains = std::min<size_t>(132, (size_t(8) << 30) / (words * 8));
  std::vector<long long> host(words, 0);
  std::vector<long long> order(static_cast<size_t>(steps));
  std::iota(order.begin(), order.end(), 0);
  if (shuffled) std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  for (int i = 0; i + 1 < steps; ++i) host[size_t(order[size_t(i)]) * stride / 8] = order[size_t(i) + 1] * (long long)(stride / 8);
  long long* dev;
  if (cudaMalloc((void**)&dev, words * 8 * chains) != cudaSuccess) return;
  for (size_t c = 0; c < chains; ++c) cudaMemcpy(dev + c * words, host.data(), words * 8, cudaMemcpyHostToDevice);
  std::printf("stride %8zu, %5d steps, %s:", stride, steps, shuffled ? "shuffled" : "in order");
  const struct { const char* name; int blocks; size_t apart; } ways[] = {{"one block", 1, 0}, {"132 on one chain", 132, 0}, {"a chain each", int(chains), words}};
  for (auto w : ways) {
    std::vector<double> all;
    for (int round = 0; round < 3; ++round) {
      read_all<<<1056, 256>>>(other, others, g_out);
      walk<<<w.blocks, 1>>>(dev, steps - 1, w.apart, g_cycles);
      std::vector<long long> c(static_cast<size_t>(w.blocks));
      cudaMemcpy(c.data(), g_cycles, c.size() * 8, cudaMemcpyDeviceToHost);
      std::nth_element(c.begin(), c.begin() + long(c.size() / 2), c.end());
      all.push_back(double(c[c.size() / 2]) / (steps - 1));
    }
    std::sort(all.begin(), all.end());
    std::printf("  %s %.0f", w.name, all[1]);
  }
  std::printf(" cycles a step\n");
  cudaFree(dev);
}

int main() {
  float *x, *y, *other;
  int* next;
  const size_t others = size_t(64) << 20;
  cudaMalloc((void**)&g_out, 4096), cudaMalloc((void**)&g_cycles, 4096);
  cudaMalloc((void**)&x, 4096), cudaMalloc((void**)&y, 4096), cudaMalloc((void**)&next, 4096), cudaMalloc((void**)&other, others * 4);
  cudaMemset(g_out, 0, 4096), cudaMemset(x, 0, 4096), cudaMemset(y, 0, 4096), cudaMemset(next, 0, 4096), cudaMemset(other, 0, others * 4);
  report("chain 1", 32, [&](int n, int t) { chain<1><<<1, t>>>(g_out, n, g_cycles); });
  report("chain 2", 32, [&](int n, int t) { chain<2><<<1, t>>>(g_out, n, g_cycles); });
  report("chain 4", 32, [&](int n, int t) { chain<4><<<1, t>>>(g_out, n, g_cycles); });
  report("chain 8", 32, [&](int n, int t) { chain<8><<<1, t>>>(g_out, n, g_cycles); });
  report("chain 16", 32, [&](int n, int t) { chain<16><<<1, t>>>(g_out, n, g_cycles); });
  report("chase", 32, [&](int n, int t) { chase<<<1, t>>>(g_out, n, g_cycles, next); });
  report("product 2 lanes", 2, [&](int n, int t) { product<<<1, t>>>(g_out, n, g_cycles, x, y, 8); });
  report("product 32 lanes", 32, [&](int n, int t) { product<<<1, t>>>(g_out, n, g_cycles, x, y, 8); });
  report("skip never", 32, [&](int n, int t) { skip<<<1, t>>>(g_out, n, g_cycles, -1); });
  report("skip every other turn", 32, [&](int n, int t) { skip<<<1, t>>>(g_out, n, g_cycles, 1); });
  report("skip always", 32, [&](int n, int t) { skip<<<1, t>>>(g_out, n, g_cycles, 0); });
  for (size_t stride : {64, 128, 256, 1024, 4096, 65536}) dram(stride, 1024, false, other, others);
  for (size_t stride : {64, 128, 1024, 4096, 65536}) dram(stride, 1024, true, other, others);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
