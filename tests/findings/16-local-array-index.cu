// Bounds, local: each thread counts digits in a private array of eight, and there are ten.
#include <cstdio>
#include <vector>

__global__ void digits(const int* x, int* most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[8];  // fix: int count[10];
  for (int k = 0; k < int(sizeof count / sizeof *count); ++k) count[k] = 0;
  for (int v = x[i]; v; v /= 10) {
    ++count[v % 10];  // expect: out_of_bounds // fix: ++count[v % 10];
  }
  int best = 0;
  for (int k = 0; k < int(sizeof count / sizeof *count); ++k) best = max(best, count[k]);
  most[i] = best;
}

int main() {
  const int n = 256;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 7919 + 1;
  int *x, *most;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&most, n * sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  digits<<<2, 128>>>(x, most, n);
  cudaMemcpy(h.data(), most, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaFree(x);
  cudaFree(most);
}
