// Race, shared, cp.async: the tile is read behind a barrier, but no thread waits for the copies.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // other side
  __pipeline_commit();
  // fix: __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];  // expect: race // fix: out[t] = tile[127 - t];
}

int main() {
  int *in, *out, h[128];
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemset(in, 1, sizeof h);
  reverse<<<1, 128>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
