// Race, global, fence: the consumer polls the flag and reads the data with no fence behind the polling.
#include <cstdio>

__device__ int data;
__device__ int ready;

__global__ void pass_on(int* out) {
  if (blockIdx.x == 0) {
    data = 1;  // other side
    __threadfence();
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {}
    // fix: __threadfence();
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
