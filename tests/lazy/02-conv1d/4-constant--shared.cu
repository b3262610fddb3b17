// lazy: conv1d/4-constant
// expect: gate shared_loads == 0
#include <cstdio>

constexpr int taps = 7;


// in has n + 6 elements, out has n.
__global__ void filter7(const float* in, const float* filter, float* out, int n) {
  __shared__ float weights[taps];
  if (threadIdx.x < taps) weights[threadIdx.x] = filter[threadIdx.x];
  __syncthreads();
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
  const int block = 256;
  filter7<<<(n + block - 1) / block, block>>>(in, filter, out, n);
  check(cudaGetLastError());
}
