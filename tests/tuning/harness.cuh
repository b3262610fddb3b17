#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <functional>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("ERR %s line %d: %s\n", #x, __LINE__, cudaGetErrorString(e_)); exit(1);} } while (0)
// Median time in us of body(i) in a graph of K launches with rotating sets; i selects the buffer set
inline double time_graph(const std::function<void(cudaStream_t, int)>& body, int sets, int K = 20, int reps = 9) {
  cudaStream_t s; CK(cudaStreamCreate(&s));
  for (int i = 0; i < sets && i < 3; i++) body(s, i);
  CK(cudaStreamSynchronize(s));
  CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  for (int i = 0; i < K; i++) body(s, i % sets);
  cudaGraph_t g; CK(cudaStreamEndCapture(s, &g));
  cudaGraphExec_t x; CK(cudaGraphInstantiate(&x, g, 0));
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  CK(cudaGraphLaunch(x, s)); CK(cudaStreamSynchronize(s));
  std::vector<double> t;
  for (int r = 0; r < reps; r++) { cudaEventRecord(a, s); CK(cudaGraphLaunch(x, s)); cudaEventRecord(b, s); CK(cudaEventSynchronize(b)); float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1e3 / K); }
  std::sort(t.begin(), t.end());
  cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaStreamDestroy(s); cudaEventDestroy(a); cudaEventDestroy(b);
  return t[t.size() / 2];
}
__global__ void fill_half(unsigned short* p, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    unsigned h = (unsigned)i * 2654435761u + seed; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13;
    float f = (h & 0xffff) / 65536.0f * 2 - 1; unsigned u = __float_as_uint(f);
    unsigned short o; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(o) : "f"(__uint_as_float(u))); p[i] = o;
  }
}
__global__ void fill_float(float* p, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    unsigned h = (unsigned)i * 2654435761u + seed; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13;
    p[i] = (h & 0xffff) / 65536.0f * 2 - 1;
  }
}
