// The kernels of busy.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_busy.cpp).
#pragma once

/// Each thread reads a word, or two that lie `apart` words from each other, and stores one or none.
template <int READS, bool WRITES> __device__ void busy_body(const float* in, float* out, unsigned apart) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[READS], sum = 0;
#pragma unroll
  for (int k = 0; k < READS; ++k) v[k] = in[i + k * apart];
#pragma unroll
  for (int k = 0; k < READS; ++k) sum += v[k];
  if (WRITES || sum == 12345.0f) out[i] = sum;
}
