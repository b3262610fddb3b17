// Race, global: a block handles two elements a thread, but starts where one a thread would.
#include <cstdio>
#include <vector>

__global__ void tag(int* owner, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // fix: int i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  if (i < n) owner[i] = blockIdx.x;  // expect: race // fix: if (i < n) owner[i] = blockIdx.x;
  if (i + blockDim.x < n) owner[i + blockDim.x] = blockIdx.x;  // other side
}

int main() {
  const int n = 1024;
  std::vector<int> h(n);
  int* owner;
  cudaMalloc(&owner, n * sizeof(int));
  cudaMemset(owner, 0xff, n * sizeof(int));
  tag<<<4, 128>>>(owner, n);
  cudaMemcpy(h.data(), owner, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(owner);
}
