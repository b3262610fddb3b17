// Barrier divergence: threads that are done break out of a loop in which the others still wait for them.
#include <cstdio>
#include <vector>

__global__ void collatz(const int* start, int* steps) {
  __shared__ int left;
  int v = start[threadIdx.x], n = 0;
  while (true) {
    if (threadIdx.x == 0) left = 0;
    __syncthreads();  // expect: barrier_divergence // fix: __syncthreads();
    if (v == 1) break;  // fix:
    if (v != 1) {
      v = v % 2 ? 3 * v + 1 : v / 2;
      ++n;
      atomicAdd(&left, v != 1);
    }
    __syncthreads();
    if (left == 0) break;
    __syncthreads();
  }
  steps[threadIdx.x] = n;
}

int main() {
  std::vector<int> h(64);
  for (int i = 0; i < 64; ++i) h[i] = i + 1;
  int *start, *steps;
  cudaMalloc(&start, 64 * sizeof(int));
  cudaMalloc(&steps, 64 * sizeof(int));
  cudaMemcpy(start, h.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  collatz<<<1, 64>>>(start, steps);
  cudaMemcpy(h.data(), steps, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[26]);
  cudaFree(start);
  cudaFree(steps);
}
