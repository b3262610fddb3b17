// Every kernel of tests/microbench/tails.cu: <tail><loads>.
#include "../../microbench/tails.cuh"

#define TAIL(tail, loads)                                                      \
  __global__ void tail##loads(const float4* in, float* out, unsigned* count) { \
    tail_body<loads, tail>(in, out, count);                                    \
  }
#define TAILS(loads) TAIL(kNone, loads) TAIL(kStore, loads) TAIL(kFence, loads) TAIL(kCount, loads)
TAILS(1)
TAILS(2)
TAILS(4)
