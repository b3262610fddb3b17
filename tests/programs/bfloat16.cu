// bfloat16: conversions, arithmetic, pairs, shuffles.
#include <cuda_bf16.h>

#include <cstdio>

__global__ void compute(const __nv_bfloat16* a, __nv_bfloat162* pairs, float* out) {
  const int i = threadIdx.x;
  __nv_bfloat16 x = a[i];
  out[i] = __bfloat162float(x) + __bfloat162float(__hmul(x, x));
  pairs[i] = __hfma2(__bfloat162bfloat162(x), pairs[i], __floats2bfloat162_rn(1.0f, 2.0f));
  x = x + __float2bfloat16(1.0f);
  out[i] += float(x) + float(__shfl_xor_sync(0xffffffffu, x, 1)) + (__hgt(x, a[0]) ? 0.5f : 0.0f);
}

int main() {
  __nv_bfloat16* a;
  __nv_bfloat162* pairs;
  float* out;
  cudaMallocManaged(&a, 32 * sizeof *a);
  cudaMallocManaged(&pairs, 32 * sizeof *pairs);
  cudaMallocManaged(&out, 32 * sizeof *out);
  for (int i = 0; i < 32; ++i) {
    a[i] = __float2bfloat16(i * 1.1f);
    pairs[i] = __floats2bfloat162_rn(i, 3 - i);
  }
  compute<<<1, 32>>>(a, pairs, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 7)
    printf("%g %g %g\n", out[i], __bfloat162float(pairs[i].x), __bfloat162float(pairs[i].y));
  cudaFree(a);
  cudaFree(pairs);
  cudaFree(out);
}
