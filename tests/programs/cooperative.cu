// A cooperative launch with a grid-wide barrier.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void shift(int* a, int* b, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  if (i < n) a[i] = i;
  grid.sync();
  if (i < n) b[i] = a[(i + 1) % n];
}

int main() {
  int n = 500;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  void* args[] = {&a, &b, &n};
  cudaError_t e = cudaLaunchCooperativeKernel((void*)shift, dim3(4), dim3(128), args, 0, 0);
  printf("%s\n", cudaGetErrorString(e));
  int h[500];
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[0], h[127], h[499]);
  cudaFree(a);
  cudaFree(b);
}
