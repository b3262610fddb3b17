// Bounds, shared: the launch asks for as many bytes as there are floats.
#include <cstdio>
#include <vector>

__global__ void block_sum(const float* in, float* out) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];  // expect: out_of_bounds // fix: s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 1024, block = 256;
  std::vector<float> h(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n / block * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  block_sum<<<n / block, block, block>>>(in, out);  // fix: block_sum<<<n / block, block, block * sizeof(float)>>>(in, out);
  cudaMemcpy(h.data(), out, n / block * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
