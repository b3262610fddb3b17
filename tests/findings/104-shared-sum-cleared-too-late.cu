// Race, shared, initialisation: thread 0 clears the block's sum by atomicExch, and the others add at once.
#include <cstdio>

__global__ void total(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) atomicExch(&sum, 0);  // other side
  // fix: __syncthreads();
  atomicAdd(&sum, 1);  // expect: race // fix: atomicAdd(&sum, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  int *out, h[4];
  cudaMalloc(&out, sizeof h);
  total<<<4, 128>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
