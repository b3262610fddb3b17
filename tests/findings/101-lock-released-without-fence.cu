// Race, global, lock: the lock is released with no fence behind the critical section.
#include <cstdio>

__device__ int lock, balance;

__global__ void pay_in() {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    balance = balance + 1;  // expect: race // fix: balance = balance + 1;
    // fix: __threadfence();
    atomicExch(&lock, 0);
  }
}

int main() {
  pay_in<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("done\n");
}
