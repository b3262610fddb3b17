// Kernels of tests/microbench/streams.cu: <what><loads per thread>.
#include "../../microbench/streams.cuh"

#define KERNELS(name)                                                                 \
  __global__ void name##1(const float4* in, float4* out) { name##_body<1>(in, out); } \
  __global__ void name##4(const float4* in, float4* out) { name##_body<4>(in, out); }
KERNELS(read)
KERNELS(write)
KERNELS(copy)
KERNELS(barrier)

#define BURST(l)                                                                  \
  __global__ void burst##l(const float4* in, float* out, int turns, int fences) { \
    burst_body<l>(in, out, turns, fences);                                        \
  }
BURST(2)
BURST(8)
