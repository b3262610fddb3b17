// A filter of 7 taps. All lanes of a warp want the same weight at the same time, from global
// memory.
#include <cstdio>

constexpr int taps = 7;
// TODO: declare a __constant__ array of 7 weights.

// in has n + 6 elements, out has n.
__global__ void filter7(const float* in, const float* weights, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  // TODO: fill it with cudaMemcpyToSymbol. filter is device memory, so cudaMemcpyDeviceToDevice.
  const int block = 256;
  filter7<<<(n + block - 1) / block, block>>>(in, filter, out, n);
  check(cudaGetLastError());
}
