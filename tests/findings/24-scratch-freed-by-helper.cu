// Use after free: a helper frees the partial sums that its caller still adds up.
#include <cstdio>
#include <vector>

__global__ void partial_sums(const float* in, float* partial, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void total(const float* partial, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += partial[i];  // expect: use_after_free // fix: for (int i = 0; i < n; ++i) sum += partial[i];
  *out = sum;
}

float* first_pass(const float* in, int n) {
  float* partial;
  cudaMalloc(&partial, 256 * sizeof(float));
  partial_sums<<<4, 64>>>(in, partial, n);
  cudaFree(partial);  // fix:
  return partial;
}

int main() {
  const int n = 2000;
  std::vector<float> h(n, 0.5f);
  float *in, *out, sum;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  float* partial = first_pass(in, n);
  total<<<1, 1>>>(partial, out, 256);
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  printf("%g\n", sum);
  // fix: cudaFree(partial);
  cudaFree(in);
  cudaFree(out);
}
