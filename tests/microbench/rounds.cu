// What a warp waits for several lines that it asks DRAM for at once, while all SMs do the same now and then.
//   nvcc -O3 -std=c++17 -arch=sm_90 rounds.cu -o rounds && ./rounds && ./rounds 1
// 132 blocks (or as many as it is told) of 1, 4 or 16 warps, one an SM: a round loads LINES lines a warp from as many places, waits for all, multiplies and adds for
// about PAUSE cycles, and may store as many. Cycles a round, less the pause's own (of a round that loads nothing).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int g_blocks = 132;

template <int LINES, bool LOAD, bool STORE>
__global__ void rounds_kernel(const float* in, float* out, int rounds, int pause, size_t apart, long long* cycles) {
  const size_t all = size_t(gridDim.x) * blockDim.x;
  size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  float v[LINES] = {};
  __syncthreads();
  const long long a = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    if (LOAD)
#pragma unroll
      for (int k = 0; k < LINES; ++k) v[k] = in[at + k * apart];
#pragma unroll 1
    for (int i = 0; i < pause / 32; ++i)
#pragma unroll
      for (int j = 0; j < 32; ++j) v[j % LINES] = v[j % LINES] * 0.5f + 1.0f;
    float s = 0;
#pragma unroll
    for (int k = 0; k < LINES; ++k) s += v[k];
    if (STORE || s == 12345.0f)
#pragma unroll
      for (int k = 0; k < LINES; ++k) out[at + k * apart] = v[k] + s;
    at += apart == all ? all * LINES : all;
  }
  const long long b = clock64();
  if (v[0] == 54321.0f) out[0] = v[0];
  if (threadIdx.x == 0) cycles[blockIdx.x] = b - a;
}
template <int LINES, bool LOAD, bool STORE>
double cycles_of(const float* in, float* out, int warps, int pause, size_t apart, long long* cycles) {
  const int rounds = 48;
  for (int k = 0; k < 3; ++k) {
    cudaMemset(out, 0, size_t(1) << 28);  // then none of the lines is in the L2
    rounds_kernel<LINES, LOAD, STORE><<<g_blocks, warps * 32>>>(in, out, rounds, pause, apart ? apart : size_t(g_blocks) * warps * 32, cycles);
  }
  std::vector<long long> c(g_blocks);
  cudaMemcpy(c.data(), cycles, 8 * g_blocks, cudaMemcpyDeviceToHost);
  std::sort(c.begin(), c.end());
  return double(c[g_blocks / 2]) / rounds;
}
template <int LINES>
void show(const float* in, float* out, long long* cycles) {
  for (int warps : {1, 4, 16})
    for (int pause : {256, 1024})
      for (size_t apart : {size_t(0), size_t(1) << 22}) {
        const double base = cycles_of<LINES, false, false>(in, out, warps, pause, apart, cycles);
        const double loads = cycles_of<LINES, true, false>(in, out, warps, pause, apart, cycles), both = cycles_of<LINES, true, true>(in, out, warps, pause, apart, cycles);
        std::printf("%2d lines %s, %2d warps, pause %6.1f: loads %7.1f  loads and stores %7.1f cycles more a round; %4.0f and %4.0f GB/s\n", LINES,
                    apart ? "16 MiB apart" : "in a row   ", warps, base, loads - base, both - base, double(g_blocks) * warps * LINES * 128 / loads * 1.98, 2 * double(g_blocks) * warps * LINES * 128 / both * 1.98);
      }
}
int main(int argc, char** argv) {
  if (argc > 1) g_blocks = std::atoi(argv[1]);
  float *in, *out;
  long long* cycles;
  const size_t words = size_t(192) << 20;
  cudaMalloc((void**)&in, words * 4), cudaMalloc((void**)&out, words * 4), cudaMalloc((void**)&cycles, 1 << 16);
  cudaMemset(in, 0, words * 4);
  show<1>(in, out, cycles), show<2>(in, out, cycles), show<4>(in, out, cycles), show<8>(in, out, cycles), show<16>(in, out, cycles);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
