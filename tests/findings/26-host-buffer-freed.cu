// Use after free, host: the host array is freed before the result is copied into it.
#include <cstdio>
#include <cstdlib>

__global__ void squares(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  const int n = 64;
  int* h = (int*)malloc(n * sizeof(int));
  int* d;
  cudaMalloc(&d, n * sizeof(int));
  squares<<<1, n>>>(d);
  free(h);  // fix:
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);  // expect: use_after_free // fix: cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("done\n");
  cudaFree(d);
  // fix: free(h);
}
