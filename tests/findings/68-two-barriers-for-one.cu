// Barrier divergence: each half of the block waits at a barrier of its own.
#include <cstdio>

__global__ void halves(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = t;
    __syncthreads();  // other side // fix:
  } else {
    s[t] = -t;
    __syncthreads();  // expect: barrier_divergence // fix:
  }
  // fix: __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int *out, h[64];
  cudaMalloc(&out, sizeof h);
  halves<<<1, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
