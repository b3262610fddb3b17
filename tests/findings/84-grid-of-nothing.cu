// Launch limit: n / 256 is 0 for a short array, and an empty grid is no launch.
#include <cstdio>

__global__ void ones(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

int main() {
  const int n = 100;
  int *x, h = 0;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  ones<<<n / 256, 256>>>(x, n);  // expect: launch_error // fix: ones<<<(n + 255) / 256, 256>>>(x, n);
  cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(x);
}
