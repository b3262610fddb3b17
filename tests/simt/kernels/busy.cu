// Every kernel of tests/microbench/busy.cu: busy<reads>, and busy<reads>_stores for those that store too.
#include "../../microbench/busy.cuh"

#define BUSY(name, reads, stores)                                     \
  __global__ void name(const float* in, float* out, unsigned apart) { \
    busy_body<reads, stores>(in, out, apart);                         \
  }
BUSY(busy1, 1, false)
BUSY(busy2, 2, false)
BUSY(busy1_stores, 1, true)
BUSY(busy2_stores, 2, true)
