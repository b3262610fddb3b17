// Deadlock: every block waits for all blocks, and there are more than the GPU holds at once.
#include <cstdio>

__device__ unsigned arrived;

__global__ void __launch_bounds__(1024) grid_barrier(int* out, unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < blocks) {}  // expect: deadlock // fix: while (atomicAdd(&arrived, 0) < blocks) {}
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

int main() {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  int blocks = 4 * sms;  // fix: int blocks = sms;
  int *out, h = 0;
  cudaMalloc(&out, blocks * sizeof(int));
  grid_barrier<<<blocks, 1024>>>(out, blocks);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(out);
}
