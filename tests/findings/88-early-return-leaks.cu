// Leak: an early return skips the frees at the end.
#include <cstdio>

__global__ void any_negative(const int* x, int n, int* found) {
  int i = threadIdx.x;
  if (i < n && x[i] < 0) *found = 1;
}

bool check(const int* host, int n) {
  int *x, *found, h = 0;
  cudaMalloc(&x, n * sizeof(int));  // expect: leak // fix: cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof(int));
  any_negative<<<1, 64>>>(x, n, found);
  cudaMemcpy(&h, found, sizeof h, cudaMemcpyDeviceToHost);
  // fix: cudaFree(x); cudaFree(found);
  if (h) return true;
  cudaFree(x);  // fix:
  cudaFree(found);  // fix:
  return false;
}

int main() {
  int h[50];
  for (int i = 0; i < 50; ++i) h[i] = i - 3;
  printf("%d\n", check(h, 50));
}
