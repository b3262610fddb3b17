// The occupancy API and function attributes.
#include <cstdio>

__global__ void square(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}
__global__ void big(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  int minGrid, block, blocks;
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, square, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, block, 0);
  printf("block %d, blocks per SM %d, grid %d\n", block, blocks, minGrid);
  cudaFuncAttributes attr;
  cudaFuncGetAttributes(&attr, square);
  printf("shared %zu, max threads %d\n", attr.sharedSizeBytes, attr.maxThreadsPerBlock);
  float* d;
  cudaMalloc(&d, 128);
  cudaMemset(d, 0, 128);
  big<<<1, 32, 100 * 1024>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  big<<<1, 32, 100 * 1024>>>(d);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(d);
}
