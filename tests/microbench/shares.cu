// What an SM gets of DRAM and of the L2 while others ask less or more, and what blocks wait for that read what others have just
// asked DRAM for.
//   nvcc -O3 -std=c++17 -arch=sm_90 shares.cu -o shares && ./shares
// Microseconds a round, from kernels of all and of half the rounds, each behind an L2 emptied by reading 150 MiB ("cold") or as the
// kernel before left it ("warm").
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "shares.cuh"

template <int L> __global__ void pulse(const float4* in, float* out, int rounds, int turns) { pulse_body<L>(in, out, rounds, turns); }
template <int L> __global__ void same(const float4* in, float* out, int rounds, int turns) { same_body<L>(in, out, rounds, turns); }
template <int L> __global__ void crowd(const float4* in, float* out, int rounds, int turns, int late) {
  crowd_body<L>(in, out, rounds, turns, late);
}

__global__ void empty(uint4* p) {
  const uint4 v = p[blockIdx.x * 256 + threadIdx.x];
  if (v.x | v.y | v.z) p[blockIdx.x * 256 + threadIdx.x] = make_uint4(0, 0, 0, 0);
}

constexpr size_t kMost = size_t(128) << 20, kEmpty = size_t(150) << 20;
static cudaStream_t g_stream;
static uint4* g_other;

/// Median of a kernel behind an emptied L2, or behind itself, in microseconds, with what two events take of it.
double timed(bool cold, const std::function<void()>& launch) {
  static cudaEvent_t a, b;
  if (!a) cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<float> t;
  for (int r = 0; r < 15; ++r) {
    if (cold) empty<<<unsigned(kEmpty / 4096), 256, 0, g_stream>>>(g_other);
    cudaEventRecord(a, g_stream);
    launch();
    cudaEventRecord(b, g_stream);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    if (r >= 2) t.push_back(ms * 1e3f);
  }
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}

/// Microseconds a round.
double round_of(bool cold, int rounds, const std::function<void(int)>& launch) {
  const double whole = timed(cold, [&] { launch(rounds); }), half = timed(cold, [&] { launch(rounds / 2); });
  return (whole - half) / (rounds - rounds / 2);
}

int main() {
  float4* in;
  float* out;
  if (cudaMalloc((void**)&in, kMost) != cudaSuccess || cudaMalloc((void**)&out, 4096) != cudaSuccess ||
      cudaMalloc((void**)&g_other, kEmpty) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kMost), cudaMemset(g_other, 0, kEmpty);
  cudaStreamCreate(&g_stream);
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  using Pulse = void (*)(const float4*, float*, int, int);
  const struct { int l; Pulse f; } pulses[] = {{1, pulse<1>}, {2, pulse<2>}, {4, pulse<4>}, {8, pulse<8>}};
  for (auto p : pulses) {
    const int l = p.l;
    const Pulse f = p.f;
    // With shared memory that leaves the L1 28 KiB or so, and without: 132 blocks go to 132 SMs, 264 to two each.
    for (int kib : {225, 0})
    for (int per_sm : {1, 2}) {
      const int shared = kib / per_sm * 1024;
      cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
      for (int active : {1, sms / 8, sms / 4, sms / 2, sms * 3 / 4, sms}) {
        if (per_sm == 2 && active < sms) continue;
        for (int turns : {0, 16, 64, 160}) {
          const int blocks = active * per_sm, rounds = int(std::min<size_t>(96, kMost / 16 / 512 / size_t(l * blocks)));
          const double us = round_of(true, rounds, [&](int n) { f<<<blocks, 512, shared, g_stream>>>(in, out, n, turns); });
          std::printf("pulse %d a thread, %3d SMs, %d an SM, %3d turns, %3d rounds, %3d KiB  %8.4f us\n", l, active, per_sm, turns, rounds, shared / 1024, us);
        }
      }
    }
  }
  for (int l : {1, 4})
    for (bool cold : {true, false})
      for (int blocks : {1, 2, 8, sms / 2, sms})
        for (int turns : {0, 16})
          for (int late : {0, 1, 8}) {
            if (blocks == 1 && late) continue;
            const double us = round_of(cold, 96, [&](int n) {
              (l == 1 ? crowd<1> : crowd<4>)<<<blocks, 512, 0, g_stream>>>(in, out, n, turns, late);
            });
            std::printf("crowd %d a thread, %3d blocks, %2d turns, %d late, %s  %8.4f us\n", l, blocks, turns, late, cold ? "cold" : "warm", us);
          }
  for (int l : {1, 4})
    for (int blocks : {1, sms})
      for (int turns : {0, 16}) {
        const double us = round_of(true, 96, [&](int n) { (l == 1 ? same<1> : same<4>)<<<blocks, 512, 0, g_stream>>>(in, out, n, turns); });
        std::printf("same %d a thread, %3d blocks, %2d turns  %8.4f us\n", l, blocks, turns, us);
      }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
