// How streams.cu, rows.cu, sums.cu, busy.cu, tails.cu and others time a kernel: as warpdojo does, by graphs of passes behind an emptied L2.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

constexpr size_t kEmpty = size_t(150) << 20;
static cudaStream_t g_stream;
static uint4* g_other;

__global__ void empty(uint4* p) {
  const uint4 v = p[blockIdx.x * 256 + threadIdx.x];
  if (v.x | v.y | v.z) p[blockIdx.x * 256 + threadIdx.x] = make_uint4(0, 0, 0, 0);
}

inline void empty_l2() { empty<<<unsigned(kEmpty / 4096), 256, 0, g_stream>>>(g_other); }

/// The stream, and what emptying the L2 reads. False where there is no GPU.
inline bool replay_ready() {
  if (cudaMalloc((void**)&g_other, kEmpty) != cudaSuccess) return false;
  cudaMemset(g_other, 0, kEmpty);
  return cudaStreamCreate(&g_stream) == cudaSuccess;
}

/// Median of 20 runs of a graph of 32 passes (empty the L2 if `emptied`, then `launch` if there is one), in microseconds a pass.
inline double replay(bool emptied, const std::function<void()>& launch) {
  constexpr int passes = 32;
  cudaGraph_t g;
  cudaGraphExec_t e;
  cudaStreamBeginCapture(g_stream, cudaStreamCaptureModeRelaxed);
  for (int i = 0; i < passes; ++i) {
    if (emptied) empty_l2();
    if (launch) launch();
  }
  cudaStreamEndCapture(g_stream, &g);
  cudaGraphInstantiate(&e, g, 0);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  std::vector<float> t;
  for (int r = 0; r < 23; ++r) {
    cudaEventRecord(a, g_stream);
    cudaGraphLaunch(e, g_stream);
    cudaEventRecord(b, g_stream);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    if (r >= 3) t.push_back(ms * 1e3f / passes);
  }
  std::sort(t.begin(), t.end());
  cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaEventDestroy(a), cudaEventDestroy(b);
  return t[t.size() / 2];
}

/// What `launch` adds to emptying the L2, in microseconds: emptying alone is measured right before and right after, since what it takes drifts
/// by tenths of a microsecond while a GPU warms up.
inline double added(const std::function<void()>& launch) {
  const double before = replay(true, nullptr), with = replay(true, launch);
  return with - (before + replay(true, nullptr)) / 2;
}
