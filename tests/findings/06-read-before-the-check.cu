// Bounds, global: the vector is read first and the bound looked at afterwards. An optimising compiler moves the read behind the check.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void sum4(const float4* in, float* out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // fix: if (i >= n4) return;
  float4 v = in[i];  // expect: out_of_bounds // fix: float4 v = in[i];
  if (i < n4) out[i] = v.x + v.y + v.z + v.w;
}

int main() {
  const int n4 = 200;
  std::vector<float> h(4 * n4, 0.25f), r(n4);
  float4* in;
  float* out;
  cudaMalloc(&in, n4 * sizeof(float4));
  cudaMalloc(&out, n4 * sizeof(float));
  cudaMemcpy(in, h.data(), n4 * sizeof(float4), cudaMemcpyHostToDevice);
  sum4<<<2, 128>>>(in, out, n4);
  cudaMemcpy(r.data(), out, n4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", r[n4 - 1]);
  cudaFree(in);
  cudaFree(out);
}
