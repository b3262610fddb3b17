// unconventional: first-launch/1-hello
#include <cstdio>

__global__ void hello_kernel() { printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x); }

void hello() {
  const dim3 grid(1, 1, 1);
  const dim3 block(1, 1, 1);
  hello_kernel<<<grid, block, 0, 0>>>();
  cudaStreamSynchronize(0);
}
