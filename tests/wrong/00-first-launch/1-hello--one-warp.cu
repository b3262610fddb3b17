// wrong: first-launch/1-hello
// mistake: Every thread of the launch runs the whole kernel: 32 threads print 32 lines. Launch one thread.
// expect: wrong
#include <cstdio>

__global__ void hello_kernel() {
  printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

void hello() {
  hello_kernel<<<1, 32>>>();
  cudaDeviceSynchronize();
}
