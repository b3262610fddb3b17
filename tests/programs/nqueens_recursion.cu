// Recursion on both sides: host recursion against a device stack machine.
#include <cstdio>

int solveHost(int n, unsigned cols, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, open = all & ~(cols | left | right);
  if (cols == all) return 1;
  int count = 0;
  while (open) {
    unsigned bit = open & -open;
    open ^= bit;
    count += solveHost(n, cols | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__device__ int solveDevice(int n, unsigned cols, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, open = all & ~(cols | left | right);
  if (cols == all) return 1;
  int count = 0;
  while (open) {
    unsigned bit = open & (0u - open);
    open ^= bit;
    count += solveDevice(n, cols | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__global__ void queens(int n, int* counts) {
  unsigned bit = 1u << threadIdx.x;
  counts[threadIdx.x] = solveDevice(n, bit, bit << 1, bit >> 1);
}

int main() {
  const int n = 7;
  int *d, h[n], sum = 0;
  cudaMalloc(&d, sizeof h);
  queens<<<1, n>>>(n, d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int v : h) sum += v;
  printf("host %d, device %d\n", solveHost(n, 0, 0, 0), sum);
  cudaFree(d);
}
