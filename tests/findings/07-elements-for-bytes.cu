// Bounds, global: the allocation is given in elements, where cudaMalloc takes bytes.
#include <cstdio>
#include <vector>

__global__ void iota(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // expect: out_of_bounds // fix: if (i < n) x[i] = i;
}

int main() {
  const int n = 640;
  int* x;
  cudaMalloc(&x, n);  // fix: cudaMalloc(&x, n * sizeof(int));
  iota<<<5, 128>>>(x, n);
  std::vector<int> h(n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(h.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
  cudaFree(x);
}
