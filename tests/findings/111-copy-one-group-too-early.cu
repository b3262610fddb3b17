// Race, shared, cp.async: of two groups the older may be read when one is left, but the newer is read.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void twice(const int* in, int* out, int tiles) {
  __shared__ int buffer[2][128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&buffer[(k + 1) % 2][t], &in[(k + 1) * 128 + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(2);  // fix: __pipeline_wait_prior(1);
    __syncthreads();
    out[k * 128 + t] = 2 * buffer[k % 2][127 - t];  // expect: race // fix: out[k * 128 + t] = 2 * buffer[k % 2][127 - t];
    __syncthreads();
  }
}

int main() {
  const int tiles = 4;
  int *in, *out, h[tiles * 128];
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemset(in, 1, sizeof h);
  twice<<<1, 128>>>(in, out, tiles);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
