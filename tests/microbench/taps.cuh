// The kernels of taps.cu, so that the SIMT machine's time model can run the same ones (tests/simt/timing_taps.cpp).
#pragma once

/// Every round each thread loads TAPS words, STEP words apart, of which its neighbours load the same, and waits for all of them; a
/// round's words lie behind those of the round before, `words` of them in a ring. The offsets are part of the load instructions, so that issuing them takes an SM less than a cycle a load. With MEET the block's warps meet at a barrier every round.
template <int TAPS, int STEP, bool MEET> __device__ void window_body(const float* in, float* out, int words, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = in + i;
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r, p += gridDim.x * blockDim.x) {
    if (p >= in + words) p -= words;
    float v[TAPS];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) v[k] = p[k * STEP];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) sum += v[k];
    if (MEET) __syncthreads();
  }
  out[i] = sum;
}
