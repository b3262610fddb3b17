// One stream waits for another by an event.
#include <cstdio>

__global__ void fill(int* x, int v) { x[threadIdx.x] = v; }
__global__ void add(int* y, const int* x) { y[threadIdx.x] += x[threadIdx.x]; }

int main() {
  int *x, *y, h[32];
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEvent_t ready;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaMemsetAsync(y, 0, 128, b);
  fill<<<1, 32, 0, a>>>(x, 7);
  cudaEventRecord(ready, a);
  cudaStreamWaitEvent(b, ready, 0);
  add<<<1, 32, 0, b>>>(y, x);
  cudaMemcpyAsync(h, y, 128, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  printf("%d %d\n", h[0], h[31]);
  cudaEventDestroy(ready);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(x);
  cudaFree(y);
}
