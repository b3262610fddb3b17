// Bounds, global: the first thread reads the neighbour before the array.
#include <cstdio>
#include <vector>

__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1) return;  // fix: if (i < 1 || i >= n - 1) return;
  float left = in[i - 1];  // expect: out_of_bounds // fix: float left = in[i - 1];
  float right = in[i + 1];
  out[i] = (left + in[i] + right) / 3.0f;
}

int main() {
  const int n = 4096;
  std::vector<float> h(n, 3.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  blur<<<n / 128, 128>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[10]);
  cudaFree(in);
  cudaFree(out);
}
