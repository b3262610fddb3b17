// Race, global, scope: the lock is taken and released for one block only, and two blocks take it.
#include <cstdio>

__device__ int lock, balance;

__global__ void pay_in() {
  while (atomicCAS_block(&lock, 0, 1) != 0) {}  // expect: race // fix: while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  balance = balance + 1;
  __threadfence();
  atomicExch_block(&lock, 0);  // fix: atomicExch(&lock, 0);
}

int main() {
  pay_in<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("done\n");
}
