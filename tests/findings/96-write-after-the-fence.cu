// Race, global, fence: of two results the second is written between the fence and the flag.
#include <cstdio>

__device__ int first, second;
__device__ int ready;

__global__ void pass_on(int* out) {
  if (blockIdx.x == 0) {
    first = 1;
    __threadfence();
    second = 2;  // other side
    // fix: __threadfence();
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {}
    __threadfence();
    out[0] = first;
    out[1] = second;  // expect: race // fix: out[1] = second;
  }
}

int main() {
  int *out, h[2];
  cudaMalloc(&out, sizeof h);
  pass_on<<<2, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[1]);
  cudaFree(out);
}
