// Trap: all blocks of the grid meet, and the launch is not cooperative.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void add_twice(int* out) {
  out[blockIdx.x] = 1;
  cg::this_grid().sync();  // expect: trap // fix: cg::this_grid().sync();
  out[blockIdx.x] += 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  add_twice<<<2, 1>>>(out);  // fix: void* all[] = {&out}; cudaLaunchCooperativeKernel(add_twice, dim3(2), dim3(1), all);
  cudaDeviceSynchronize();
  cudaFree(out);
}
