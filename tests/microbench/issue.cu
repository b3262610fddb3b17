// What a turn of a loop takes a warp when 1 to 8 warps share a scheduler.
//   nvcc -O3 -std=c++17 -arch=sm_90 issue.cu -o issue && ./issue
// Cycles are those of an SM, by the time of one block alone, between two events.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "issue.cuh"

static cudaEvent_t g_from, g_to;
static double g_mhz = 1980;  // set by `clock`

template <class Launch> double seconds(Launch launch) {
  std::vector<float> all;
  for (int i = 0; i < 7; ++i) {
    cudaEventRecord(g_from);
    launch();
    cudaEventRecord(g_to);
    cudaEventSynchronize(g_to);
    float ms = 0;
    cudaEventElapsedTime(&ms, g_from, g_to);
    all.push_back(ms);
  }
  std::sort(all.begin(), all.end());
  return all[2] / 1e3;
}

template <class Launch> void report(const char* name, Launch launch) {
  for (int warps : {1, 2, 3, 4, 6, 8}) {
    double s[2];
    for (int i = 0; i < 2; ++i) s[i] = seconds([&] { launch(4096 << i, warps * 128); });
    std::printf("%-24s %d warps a scheduler %8.2f cycles a turn\n", name, warps, (s[1] - s[0]) * g_mhz * 1e6 / 4096);
  }
}

__global__ void ticks(long long* out, int turns, float a, float b) {
  float x = a;
  const long long from = clock64();
#pragma unroll 1
  for (int i = 0; i < turns; ++i) x = x * a + b;
  if (x != 12345.0f) *out = clock64() - from;
}

int main() {
  float *out, *x, *y;
  long long *cycles, c[2];
  cudaMalloc((void**)&out, 8192), cudaMalloc((void**)&x, 8192), cudaMalloc((void**)&y, 8192), cudaMalloc((void**)&cycles, 8);
  cudaMemset(out, 0, 8192), cudaMemset(x, 0, 8192), cudaMemset(y, 0, 8192);
  cudaEventCreate(&g_from), cudaEventCreate(&g_to);
  double s[2];
  for (int i = 0; i < 2; ++i) {
    s[i] = seconds([&] { ticks<<<1, 32>>>(cycles, 1 << (18 + i), 0.5f, 0.25f); });
    cudaMemcpy(c + i, cycles, 8, cudaMemcpyDeviceToHost);
  }
  g_mhz = double(c[1] - c[0]) / (s[1] - s[0]) / 1e6;
  std::printf("clock %.0f MHz\n", g_mhz);
  report("chain fma", [&](int n, int t) { chain_fma<<<1, t>>>(out, n, 0.5f, 0.25f); });
  report("chains fma", [&](int n, int t) { chains_fma<<<1, t>>>(out, n, 0.5f, 0.25f); });
  report("chain int", [&](int n, int t) { chain_int<<<1, t>>>((int*)out, n, 5, 3); });
  report("chain both", [&](int n, int t) { chain_both<<<1, t>>>(out, n, 0.5f, 0.25f, 5); });
  report("region skipped", [&](int n, int t) { region<<<1, t>>>(out, n, 0.5f, 0.25f, 0); });
  report("region entered", [&](int n, int t) { region<<<1, t>>>(out, n, 0.5f, 0.25f, 32); });
  report("region halved", [&](int n, int t) { region<<<1, t>>>(out, n, 0.5f, 0.25f, 16); });
  report("regions skipped", [&](int n, int t) { regions<<<1, t>>>(out, n, 0.5f, 0.25f, 0); });
  report("regions entered", [&](int n, int t) { regions<<<1, t>>>(out, n, 0.5f, 0.25f, 32); });
  report("regions halved", [&](int n, int t) { regions<<<1, t>>>(out, n, 0.5f, 0.25f, 16); });
  report("reciprocal", [&](int n, int t) { reciprocal<<<1, t>>>(out, n, 0.5f, 0.25f); });
  report("chains high", [&](int n, int t) { chains_high<<<1, t>>>((unsigned*)out, n, 1234567u); });
  report("chains wide", [&](int n, int t) { chains_wide<<<1, t>>>((unsigned long long*)out, n, 1234567u); });
  report("chains mad", [&](int n, int t) { chains_mad<<<1, t>>>((unsigned*)out, n, 1234567u, 3u); });
  report("chains logic", [&](int n, int t) { chains_logic<<<1, t>>>((unsigned*)out, n, 5u, 3u); });
  report("chains add", [&](int n, int t) { chains_add<<<1, t>>>((unsigned*)out, n, 5u, 3u); });
  report("divide", [&](int n, int t) { divide<<<1, t>>>(out, n, 3.0f); });
  report("remainder", [&](int n, int t) { remainder<<<1, t>>>((unsigned*)out, n, 1234567u, 1013u); });
  report("product", [&](int n, int t) { product<<<1, t>>>(x, y, out, n); });
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
