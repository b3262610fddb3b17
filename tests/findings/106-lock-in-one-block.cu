// Race, shared, lock: the warps of a block share a lock, and leave the critical section without a fence.
#include <cstdio>

__global__ void pay_in(int* out) {
  __shared__ int lock, balance;
  if (threadIdx.x == 0) lock = balance = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence_block();
    balance = balance + 1;  // expect: race // fix: balance = balance + 1;
    // fix: __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = balance;
}

int main() {
  int *out, h[4];
  cudaMalloc(&out, sizeof h);
  pay_in<<<4, 128>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
