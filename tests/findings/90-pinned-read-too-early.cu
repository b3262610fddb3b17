// Race, copy and host: the host reads the destination of an asynchronous copy without waiting for it.
#include <cstdio>

__global__ void squares(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int *x, *h;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMallocHost(&h, 64 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  squares<<<1, 64, 0, stream>>>(x);
  cudaMemcpyAsync(h, x, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  // fix: cudaStreamSynchronize(stream);
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += h[i];  // expect: race // fix: for (int i = 0; i < 64; ++i) sum += h[i];
  printf("%d\n", sum);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(h);
}
