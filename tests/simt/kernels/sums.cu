// The kernel of tests/microbench/sums.cu.
#include "../../microbench/sums.cuh"

__global__ void sum(const float4* in, float* out, int words) { sum_body(in, out, words); }
