// Half precision: conversions, half2 arithmetic, a dot product with float accumulation.
#include <cuda_fp16.h>
#include <cstdio>

__global__ void dot(const half2* a, const half2* b, float* out, int pairs) {
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += 32) {
    half2 p = __hmul2(a[i], b[i]);
    sum += __low2float(p) + __high2float(p);
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) *out = sum;
}

__global__ void halve(half* x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = __hmul(x[i], __float2half(0.5f));
}

int main() {
  const int n = 128;
  half ha[n], hb[n];
  float expected = 0, got;
  for (int i = 0; i < n; ++i) {
    ha[i] = __float2half(float(i % 7) - 3.0f);
    hb[i] = __float2half(float(i % 5) * 0.25f);
    expected += __half2float(ha[i]) * __half2float(hb[i]);
  }
  half *a, *b;
  float* sum;
  cudaMalloc(&a, sizeof ha);
  cudaMalloc(&b, sizeof hb);
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  dot<<<1, 32>>>((const half2*)a, (const half2*)b, sum, n / 2);
  cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
  halve<<<1, 128>>>(a, n);
  cudaMemcpy(ha, a, sizeof ha, cudaMemcpyDeviceToHost);
  printf("dot %g, expected %g, a[0] %g\n", got, expected, __half2float(ha[0]));
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
}
