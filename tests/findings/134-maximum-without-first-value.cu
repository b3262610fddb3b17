// Uninitialised, register: a maximum has no first value, and fmaxf hides what stands there.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void row_maxima(const float* in, float* out, int width) {
  float most;
  for (int i = 0; i < width; ++i)
    most = fmaxf(most, in[threadIdx.x * width + i]);  // expect: uninitialized // fix: most = i ? fmaxf(most, in[threadIdx.x * width + i]) : in[threadIdx.x * width];
  out[threadIdx.x] = most;
}

int main() {
  const int rows = 32, width = 8;
  std::vector<float> h(rows * width, 1.0f);
  float *in, *out;
  cudaMalloc(&in, h.size() * sizeof(float));
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  row_maxima<<<1, rows>>>(in, out, width);
  cudaMemcpy(h.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
