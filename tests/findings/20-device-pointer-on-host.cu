// Wrong memory: host code looks at the result where it lies, on the device.
#include <cstdio>

__global__ void answer(int* x) { *x = 42; }

int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  answer<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  int h = 0;
  h = *x;  // expect: wrong_space // fix: cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(x);
}
