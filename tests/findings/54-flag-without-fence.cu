// Race, global: the producer raises a flag, but the data may arrive after it.
#include <cstdio>

__device__ int data[64];
__device__ int ready;

__global__ void pass_on(int* out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;  // other side
    // fix: __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(&ready, 1);
  } else {
    if (t == 0) while (atomicAdd(&ready, 0) == 0) {}
    __syncthreads();
    out[t] = data[63 - t];  // expect: race // fix: out[t] = data[63 - t];
  }
}

int main() {
  int *out, h[64];
  cudaMalloc(&out, sizeof h);
  pass_on<<<2, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
