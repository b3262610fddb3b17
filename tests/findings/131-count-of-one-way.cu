// Uninitialised, register: a variable is set in one branch only, and used behind both.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__device__ int bucket(float v) {
  int b;
  if (v >= 0) b = int(v);
  return b % 4;  // expect: uninitialized // fix: return v >= 0 ? b % 4 : 0;
}

__global__ void buckets(const float* in, int* out) {
  out[threadIdx.x] = bucket(in[threadIdx.x]);
}

int main() {
  const int n = 32;
  std::vector<float> h(n, -1.0f);
  std::vector<int> of(n);
  float* in;
  int* out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  buckets<<<1, n>>>(in, out);
  cudaMemcpy(of.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", of[0]);
  cudaFree(in);
  cudaFree(out);
}
