// Race, global, lock: the first block takes the lock without a fence; only had it come second would that show.
#include <cstdio>

__device__ int lock;
__device__ volatile int balance;

__global__ void pay_in() {
  if (blockIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    // fix: __threadfence();
    balance = 1;  // other side
    __threadfence();
    atomicExch(&lock, 0);
  } else {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    balance = 2;  // expect: race // fix: balance = 2;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

int main() {
  pay_in<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("done\n");
}
