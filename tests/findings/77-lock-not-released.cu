// Deadlock: one path through the critical section keeps the lock.
#include <cstdio>
#include <vector>

__device__ int lock;

__global__ void largest(const int* x, int* best, int* where, int n) {
  int i = blockIdx.x;
  if (threadIdx.x != 0 || i >= n) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}  // expect: deadlock // fix: while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  if (x[i] <= *(volatile int*)best) return;  // fix: if (x[i] > *(volatile int*)best) {
  *(volatile int*)best = x[i];
  *(volatile int*)where = i;
  // fix: }
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  const int n = 16;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 5) % 16;
  int *x, *best, *where, r;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&best, sizeof(int));
  cudaMalloc(&where, sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(best, 0xff, sizeof(int));
  cudaMemset(where, 0, sizeof(int));
  largest<<<n, 32>>>(x, best, where, n);
  cudaMemcpy(&r, best, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r);
  cudaFree(x);
  cudaFree(best);
  cudaFree(where);
}
