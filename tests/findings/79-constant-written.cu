// Write to a const input: a kernel scales a __constant__ table in place, through its address.
#include <cstdio>

__constant__ float weights[32];

__global__ void normalise(float* table, float sum, float* out) {
  float w = weights[threadIdx.x] / sum;
  table[threadIdx.x] = w;  // expect: const_write // fix: out[threadIdx.x] = w;
  out[threadIdx.x] = w;
}

int main() {
  float h[32];
  for (int i = 0; i < 32; ++i) h[i] = 1.0f + i;
  cudaMemcpyToSymbol(weights, h, sizeof h);
  float *out, *table;
  cudaMalloc(&out, sizeof h);
  cudaGetSymbolAddress((void**)&table, weights);
  normalise<<<1, 32>>>(table, 528.0f, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(out);
}
