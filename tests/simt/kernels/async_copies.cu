// The kernels of tests/microbench/async_copies.cu.
#include "../../microbench/async_copies.cuh"

__global__ void async_1(const float4* in, float* out, int rounds) { async_body<1>(in, out, rounds); }
__global__ void async_2(const float4* in, float* out, int rounds) { async_body<2>(in, out, rounds); }
__global__ void async_4(const float4* in, float* out, int rounds) { async_body<4>(in, out, rounds); }
