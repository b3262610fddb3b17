// Bounds, global: the last float4 reaches past the end when n is no multiple of four.
#include <cstdio>
#include <vector>

__global__ void negate(const float* in, float* out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {  // fix: if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4*>(in + i);  // expect: out_of_bounds // fix: float4 v = *reinterpret_cast<const float4*>(in + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(-v.x, -v.y, -v.z, -v.w);
  } else {
    for (; i < n; ++i) out[i] = -in[i];
  }
}

int main() {
  const int n = 1022;
  std::vector<float> h(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  negate<<<1, 256>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
  cudaFree(in);
  cudaFree(out);
}
