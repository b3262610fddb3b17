// Wrong memory: the pointers of a copy back are in the wrong order for its direction.
#include <cstdio>

__global__ void mark(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int h[32] = {};
  int* d;
  cudaMalloc(&d, sizeof h);
  mark<<<1, 32>>>(d);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);  // expect: wrong_space // fix: cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  cudaFree(d);
}
