// Every kernel of tests/microbench/shares.cu: <pulse, same or crowd><loads per thread>.
#include "../../microbench/shares.cuh"

#define KERNELS(l)                                                                          \
  __global__ void pulse##l(const float4* in, float* out, int rounds, int turns) {           \
    pulse_body<l>(in, out, rounds, turns);                                                  \
  }                                                                                         \
  __global__ void same##l(const float4* in, float* out, int rounds, int turns) {            \
    same_body<l>(in, out, rounds, turns);                                                   \
  }                                                                                         \
  __global__ void crowd##l(const float4* in, float* out, int rounds, int turns, int late) { \
    crowd_body<l>(in, out, rounds, turns, late);                                            \
  }
KERNELS(1)
KERNELS(2)
KERNELS(4)
KERNELS(8)
