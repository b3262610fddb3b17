// Deadlock: the consumer waits for a count that the producers never reach.
#include <cstdio>

__device__ unsigned posted;

__global__ void pipeline(int* out) {
  __shared__ int s;
  if (blockIdx.x < 3) {
    if (threadIdx.x == 0) atomicAdd(&posted, 1);
  } else {
    if (threadIdx.x == 0) {
      while (*(volatile unsigned*)&posted < gridDim.x) {}  // expect: deadlock // fix: while (*(volatile unsigned*)&posted < gridDim.x - 1) {}
      s = 1;
    }
    __syncthreads();
    out[threadIdx.x] = s;
  }
}

int main() {
  int *out, h[32];
  cudaMalloc(&out, sizeof h);
  pipeline<<<4, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  cudaFree(out);
}
