// The kernels of tests/microbench/joined_stores.cu.
#include "../../microbench/joined_stores.cuh"

#define KERNEL(NAME)                                                                         \
  __global__ void joined_##NAME(const float* in, float* out, unsigned rounds, unsigned sets, \
                                unsigned amount, unsigned words) {                           \
    joined_stores_body<Between::NAME>(in, out, rounds, sets, amount, words);                 \
  }
KERNEL(straight)
KERNEL(nothing)
KERNEL(work)
KERNEL(shared)
KERNEL(load)
KERNEL(line)
KERNEL(chunk)
