// Race, global, scope: the producer's fence is __threadfence_block, and the consumer is in another block.
#include <cstdio>

__device__ int data[32];
__device__ int ready;

__global__ void pass_on(int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;  // other side
    __threadfence_block();            // fix: __threadfence();
    atomicAdd(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) < 32) {}
    __threadfence();
    out[threadIdx.x] = data[31 - threadIdx.x];  // expect: race // fix: out[threadIdx.x] = data[31 - threadIdx.x];
  }
}

int main() {
  int *out, h[32];
  cudaMalloc(&out, sizeof h);
  pass_on<<<2, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
