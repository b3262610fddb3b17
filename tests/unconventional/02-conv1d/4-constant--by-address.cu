// unconventional: conv1d/4-constant
#include <cstdio>

constexpr int taps = 7;
__constant__ float weights[taps];

// in has n + 6 elements, out has n.
__global__ void filter7(const float* in, float* out, int n) {
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
  void* target;
  check(cudaGetSymbolAddress(&target, weights));
  check(cudaMemcpy(target, filter, sizeof(weights), cudaMemcpyDeviceToDevice));
  const int block = 128;
  filter7<<<(n + block - 1) / block, block>>>(in, out, n);
  check(cudaGetLastError());
}
