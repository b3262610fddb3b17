// Race, global, fence: within a block, one warp waits for another by a volatile flag, and no fence orders the data.
#include <cstdio>

__device__ int data;
__device__ volatile int ready;

__global__ void pass_on(int* out) {
  if (threadIdx.x == 0) {
    data = 5;  // other side
    // fix: __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 32) {
    while (ready == 0) {}
    __threadfence_block();
    *out = data;  // expect: race // fix: *out = data;
  }
}

int main() {
  int *out, h;
  cudaMalloc(&out, sizeof h);
  pass_on<<<1, 64>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(out);
}
