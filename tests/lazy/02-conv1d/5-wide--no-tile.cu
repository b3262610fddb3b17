// lazy: conv1d/5-wide
// expect: gate 128 * global_load_requests <= (4.2 + ceil(2 * r / 32)) * n
#include <cstdio>

constexpr int threads = 256;
constexpr int max_radius = 32;
__constant__ float weights[1 + 2 * max_radius];

// in has n + 2r elements, out has n.
__global__ void filter_wide(const float* in, float* out, int n, int r) {
  int first = blockIdx.x * threads;
  int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k <= 2 * r; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void conv1d(const float* in, const float* filter, float* out, int n, int r) {
  if (n == 0) return;
  const size_t bytes = (1 + 2 * r) * sizeof(float);
  check(cudaMemcpyToSymbol(weights, filter, bytes, 0, cudaMemcpyDeviceToDevice));
  filter_wide<<<(n + threads - 1) / threads, threads>>>(in, out, n, r);
  check(cudaGetLastError());
}
