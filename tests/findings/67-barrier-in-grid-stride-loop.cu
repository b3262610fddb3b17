// Barrier divergence: a barrier in a loop that not all threads of the block go round equally often.
#include <cstdio>
#include <vector>

__global__ void stage(const float* in, float* out, int n) {
  __shared__ float s[64];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {  // fix: for (int k = blockIdx.x * blockDim.x; k < n; k += gridDim.x * blockDim.x) { int i = k + threadIdx.x;
    s[threadIdx.x] = in[i];  // fix: if (i < n) s[threadIdx.x] = in[i];
    __syncthreads();  // expect: barrier_divergence // fix: __syncthreads();
    if (i < n && (threadIdx.x ^ 1) + i - threadIdx.x < n) out[i] = s[threadIdx.x ^ 1];
    __syncthreads();
  }
}

int main() {
  const int n = 250;
  std::vector<float> h(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  stage<<<2, 64>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
