// Misaligned: the vectors start one float into the array.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void sum(const float* in, float* out, int n) {
  int i = threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in + 1)[i];  // expect: misaligned // fix: float4 v = reinterpret_cast<const float4*>(in)[i];
  if (4 * i + 3 < n) out[i] = v.x + v.y + v.z + v.w;
}

int main() {
  const int n = 256;
  std::vector<float> h(n + 4, 1.0f);
  float *in, *out;
  cudaMalloc(&in, h.size() * sizeof(float));
  cudaMalloc(&out, n / 4 * sizeof(float));
  cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, n / 4>>>(in, out, n);
  cudaMemcpy(h.data(), out, n / 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
