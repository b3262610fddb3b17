// Kernels of tests/microbench/loops.cu that have a clock there.
#include "../../microbench/loops.cuh"

#define CHAIN(k)                                                \
  __global__ void chain##k(float* out, int turns) {             \
    out[threadIdx.x] = chain_turns<k>(out[threadIdx.x], turns); \
  }
CHAIN(1)
CHAIN(2)
CHAIN(4)
CHAIN(8)
CHAIN(16)

__global__ void chase(float* out, int turns, const int* next) {
  out[threadIdx.x] = float(chase_turns(next, turns));
}
__global__ void product(float* out, int turns, const float* x, const float* y, int width) {
  out[threadIdx.x] = product_turns(x, y, turns, width);
}
__global__ void skip(float* out, int turns, int mask) {
  out[threadIdx.x] = skip_turns(out[threadIdx.x], turns, mask);
}
