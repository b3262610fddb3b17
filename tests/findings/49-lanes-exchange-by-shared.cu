// Race, shared, one warp: two lanes exchange a value through shared memory without a __syncwarp.
#include <cstdio>
#include <vector>

__global__ void swap_pairs(int* x) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = x[lane];
  // fix: __syncwarp();
  x[lane] = s[lane ^ 1];  // expect: race // fix: x[lane] = s[lane ^ 1];
}

int main() {
  std::vector<int> h(32);
  for (int i = 0; i < 32; ++i) h[i] = i;
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemcpy(x, h.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  swap_pairs<<<1, 32>>>(x);
  cudaMemcpy(h.data(), x, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
