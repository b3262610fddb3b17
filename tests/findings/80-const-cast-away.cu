// Write to a const input: a kernel pads its input in place, though its signature promises not to write it.
#include <cstdio>
#include <vector>

__global__ void sum_rows(const float* in, float* out, int width, int used) {
  int row = threadIdx.x;
  for (int k = used; k < width; ++k) {  // fix:
    ((float*)in)[row * width + k] = 0.0f;  // expect: const_write // fix:
  }  // fix:
  float sum = 0;
  for (int k = 0; k < used; ++k) sum += in[row * width + k];
  out[row] = sum;
}

int main() {
  const int width = 16, rows = 32;
  std::vector<float> h(width * rows, 1.0f);
  float *in, *out;
  cudaMalloc(&in, h.size() * sizeof(float));
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum_rows<<<1, rows>>>(in, out, width, 12);
  cudaMemcpy(h.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
