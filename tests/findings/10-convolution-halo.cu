// Bounds, global: the tile's right halo is loaded without looking whether the input goes on.
#include <cstdio>
#include <vector>

constexpr int radius = 3, threads = 128;

__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float s[threads + 2 * radius];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  s[t + radius] = i < n ? in[i] : 0.0f;
  if (t < radius) {
    s[t] = i >= radius ? in[i - radius] : 0.0f;
    s[t + threads + radius] = in[i + threads];  // expect: out_of_bounds // fix: s[t + threads + radius] = i + threads < n ? in[i + threads] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k <= 2 * radius; ++k) sum += s[t + k];
  out[i] = sum / (2 * radius + 1);
}

int main() {
  const int n = 1000;
  std::vector<float> h(n, 7.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  convolve<<<(n + threads - 1) / threads, threads>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[500]);
  cudaFree(in);
  cudaFree(out);
}
