// The kernels of cold_code.cu, without a clock, so that the SIMT machine's time model can run the same ones.
#pragma once

/// `lines` lines of 128 bytes of machine code, straight on: eight multiply-adds each, of four chains.
template <int lines>
__device__ inline void code_body(float* out, float a) {
  float v0 = threadIdx.x, v1 = v0 + 1, v2 = v0 + 2, v3 = v0 + 3;
#pragma unroll
  for (int i = 0; i < lines * 2; ++i) v0 = v0 * a + 0.5f, v1 = v1 * a + 0.5f, v2 = v2 * a + 0.5f, v3 = v3 * a + 0.5f;
  if (v0 + v1 + v2 + v3 == 12345.0f) out[threadIdx.x] = v0;
}

/// The same, and a load before and one behind it, the second from where the first says.
template <int lines>
__device__ inline void loads_body(const int* in, float* out, float a) {
  const int at = in[blockIdx.x * 1024 + threadIdx.x];
  float v0 = at, v1 = v0 + 1, v2 = v0 + 2, v3 = v0 + 3;
#pragma unroll
  for (int i = 0; i < lines * 2; ++i) v0 = v0 * a + 0.5f, v1 = v1 * a + 0.5f, v2 = v2 * a + 0.5f, v3 = v3 * a + 0.5f;
  if (v0 + v1 + v2 + v3 == 12345.0f) out[threadIdx.x] = v0;
}
