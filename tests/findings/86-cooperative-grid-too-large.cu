// Launch limit: all blocks of a cooperative grid must fit on the GPU at once.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void two_phases(int* x, int* y) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  grid.sync();
  y[i] = x[gridDim.x * blockDim.x - 1 - i];
}

int main() {
  int blocks = 1000, threads = 512;  // fix: int blocks = 100, threads = 512;
  int *x, *y, h = -1;
  cudaMalloc(&x, blocks * threads * sizeof(int));
  cudaMalloc(&y, blocks * threads * sizeof(int));
  cudaMemset(y, 0, blocks * threads * sizeof(int));
  void* args[] = {&x, &y};
  cudaLaunchCooperativeKernel((void*)two_phases, dim3(blocks), dim3(threads), args, 0, 0);  // expect: launch_error // fix: cudaLaunchCooperativeKernel((void*)two_phases, dim3(blocks), dim3(threads), args, 0, 0);
  cudaMemcpy(&h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(x);
  cudaFree(y);
}
