// Launch limit: more than 48 KiB of dynamic shared memory without asking for it first.
#include <cstdio>

__global__ void stage(float* out, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = s[n - 1];
}

int main() {
  const int n = 16384;
  float *out, h = 0;
  cudaMalloc(&out, sizeof h);
  cudaMemset(out, 0, sizeof h);
  // fix: cudaFuncSetAttribute(stage, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(float));
  stage<<<1, 256, n * sizeof(float)>>>(out, n);  // expect: launch_error // fix: stage<<<1, 256, n * sizeof(float)>>>(out, n);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h);
  cudaFree(out);
}
