// Race, global, fence: the producer corrects a value after it has raised the flag.
#include <cstdio>

__device__ int data;
__device__ int ready;

__global__ void pass_on(int* out) {
  if (blockIdx.x == 0) {
    data = 1;
    // fix: data = 2;
    __threadfence();
    atomicExch(&ready, 1);
    data = 2;  // other side // fix:
  } else {
    while (atomicAdd(&ready, 0) == 0) {}
    __threadfence();
    *out = data;  // expect: race // fix: *out = data;
  }
}

int main() {
  int *out, h;
  cudaMalloc(&out, sizeof h);
  pass_on<<<2, 1>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(out);
}
