// Race, copy and kernel: the result is copied in a stream that does not wait for the kernel.
#include <cstdio>

__global__ void squares(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int *x, *h;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMallocHost(&h, 64 * sizeof(int));
  cudaStream_t work, copies;
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  squares<<<1, 64, 0, work>>>(x);
  // fix: cudaStreamSynchronize(work);
  cudaMemcpyAsync(h, x, 64 * sizeof(int), cudaMemcpyDeviceToHost, copies);  // expect: race // fix: cudaMemcpyAsync(h, x, 64 * sizeof(int), cudaMemcpyDeviceToHost, copies);
  cudaDeviceSynchronize();
  printf("%d\n", h[8]);
  cudaStreamDestroy(work);
  cudaStreamDestroy(copies);
  cudaFree(x);
  cudaFreeHost(h);
}
