// The first program of every course: one kernel, some threads, printf on the device.
#include <stdio.h>

__global__ void hello() { printf("hello from block %d, thread %d\n", blockIdx.x, threadIdx.x); }

int main() {
  hello<<<2, 3>>>();
  cudaDeviceSynchronize();
  printf("done\n");
  return 0;
}
