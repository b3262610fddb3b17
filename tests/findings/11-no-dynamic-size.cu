// Bounds, shared: the kernel uses dynamic shared memory, and the launch gives none.
#include <cstdio>
#include <vector>

__global__ void reverse(int* x) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = x[t];  // expect: out_of_bounds // fix: s[t] = x[t];
  __syncthreads();
  x[t] = s[blockDim.x - 1 - t];
}

int main() {
  const int n = 64;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(x);  // fix: reverse<<<1, n, n * sizeof(int)>>>(x);
  cudaMemcpy(h.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
