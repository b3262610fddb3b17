// Every kernel of tests/microbench/partial_stores.cu, by the bytes that a lane stores.
#include "../../microbench/partial_stores.cuh"

#define PARTIAL_STORES(bytes, T)                                                                      \
  __global__ void partial_stores##bytes(char* out, unsigned stride, unsigned rounds, unsigned size) { \
    partial_stores_body<T>(out, stride, rounds, size);                                                \
  }
PARTIAL_STORES(1, unsigned char)
PARTIAL_STORES(2, unsigned short)
PARTIAL_STORES(4, unsigned)
PARTIAL_STORES(8, uint2)
PARTIAL_STORES(16, uint4)
