// Uninitialised, register: a sum and a count have no first value.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void row_sums(const float* in, float* out, int width) {
  float sum;
  for (int i = 0; i < width; ++i)
    sum += in[threadIdx.x * width + i];  // expect: uninitialized // fix: sum = (i ? sum : 0) + in[threadIdx.x * width + i];
  out[threadIdx.x] = sum;
}

int main() {
  const int rows = 32, width = 8;
  std::vector<float> h(rows * width, 1.0f);
  float *in, *out;
  cudaMalloc(&in, h.size() * sizeof(float));
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  row_sums<<<1, rows>>>(in, out, width);
  cudaMemcpy(h.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
