// Bounds, constant: the filter has 2 * radius + 1 taps, the table was declared with 2 * radius.
#include <cstdio>
#include <vector>

constexpr int radius = 4;
__constant__ float taps[2 * radius];  // fix: __constant__ float taps[2 * radius + 1];

__global__ void filter(const float* in, float* out, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -r; k <= r; ++k) {
    int j = min(max(i + k, 0), n - 1);
    sum += in[j] * taps[k + r];  // expect: out_of_bounds // fix: sum += in[j] * taps[k + r];
  }
  out[i] = sum;
}

int main() {
  const int n = 300;
  std::vector<float> h(n, 1.0f), t(sizeof taps / sizeof(float), 0.125f);
  cudaMemcpyToSymbol(taps, t.data(), t.size() * sizeof(float));
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  filter<<<3, 128>>>(in, out, n, radius);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
