// The smallest program for a GPU: one block, one thread, one line of text.
#include <cstdio>

// __global__: runs on the GPU and is launched from the host. Such a function is a kernel.
__global__ void hello_kernel() {
  // Every launched thread runs this, and knows its place in the launch.
  printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

void hello() {
  // TODO: launch hello_kernel with one block of one thread.
  cudaDeviceSynchronize();  // wait until the GPU has done all queued work
}
