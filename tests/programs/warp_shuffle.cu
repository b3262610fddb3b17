// Warp shuffles, ballots and a block sum by atomics.
#include <cstdio>

__inline__ __device__ int warpSum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}

__global__ void sums(int* total, unsigned* mask) {
  int v = warpSum(threadIdx.x);
  if (threadIdx.x % 32 == 0) atomicAdd(total, v);
  unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
  if (threadIdx.x == 0) *mask = odd;
}

int main() {
  int *total, sum = 0;
  unsigned *mask, odd;
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&mask, sizeof(unsigned));
  cudaMemset(total, 0, sizeof(int));
  sums<<<4, 256>>>(total, mask);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&odd, mask, sizeof odd, cudaMemcpyDeviceToHost);
  printf("%d 0x%08x\n", sum, odd);
  cudaFree(total);
  cudaFree(mask);
}
