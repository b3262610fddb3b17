// lazy: first-launch/1-hello
// expect: gate ptx(call) >= 1
// The kernel is launched and does nothing. The host prints the line.
#include <cstdio>

__global__ void hello_kernel() {}

void hello() {
  hello_kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("Hello from block 0, thread 0\n");
}
