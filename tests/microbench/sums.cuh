// The kernels of sums.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_sums.cpp).
#pragma once

/// A block of 256 threads reads a float4 a thread and sums them; one thread adds the sum to word `block % words`, each in a line of its
/// own, or stores it (`words` 0).
__device__ inline void sum_body(const float4* in, float* out, int words) {
  __shared__ float s[8];
  const float4 v = in[blockIdx.x * 256 + threadIdx.x];
  float sum = (v.x + v.y) + (v.z + v.w);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += s[k];
  if (words == 0) out[blockIdx.x] = sum;
  else atomicAdd(out + blockIdx.x % words * 32, sum);
}
