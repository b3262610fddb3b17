// A filter of 7 taps, with its weights in constant memory: the constant cache broadcasts each
// weight. Bound by starting blocks. Of 14 load requests per warp the 7 for the weights are gone.
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
  check(cudaMemcpyToSymbol(weights, filter, sizeof(weights), 0, cudaMemcpyDeviceToDevice));
  const int block = 256;
  filter7<<<(n + block - 1) / block, block>>>(in, out, n);
  check(cudaGetLastError());
}
