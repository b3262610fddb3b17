// The kernels of scalars.cu, so that the SIMT machine's time model can run the same ones (tests/simt/timing_scalars.cpp). A thread an
// element, blocks of 256.
#pragma once

struct Weights {
  float w[7];
};

__global__ void stores(const float*, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f;
}
/// TAPS neighbours, which the compiler loads one after another without waiting; with KEEP their sum is stored.
template <int TAPS, bool KEEP> __device__ void neighbours(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < TAPS; ++k) sum += in[i + k];
  if (KEEP || sum == 12345.0f) out[i] = sum;
}
__global__ void copies1(const float* in, float* out, int n) { neighbours<1, true>(in, out, n); }
__global__ void copies7(const float* in, float* out, int n) { neighbours<7, true>(in, out, n); }
__global__ void copies16(const float* in, float* out, int n) { neighbours<16, true>(in, out, n); }
__global__ void reads1(const float* in, float* out, int n) { neighbours<1, false>(in, out, n); }
__global__ void reads7(const float* in, float* out, int n) { neighbours<7, false>(in, out, n); }
__global__ void reads16(const float* in, float* out, int n) { neighbours<16, false>(in, out, n); }
/// Weights from the kernel's parameters.
__global__ void parameters(const float* in, float* out, int n, Weights w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 7; ++k) sum += w.w[k] * in[i + k];
  out[i] = sum;
}

#ifdef CONSTANTS
__constant__ float weights[7];
/// Weights from constant memory.
__global__ void constants(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}
#endif
