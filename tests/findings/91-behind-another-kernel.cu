// Race, global: the consumer is second in its stream, and the producer in another; what the two streams did first is no order.
#include <cstdio>

__global__ void prepare(int* z) { z[threadIdx.x] = 0; }
__global__ void produce(int* x) { x[threadIdx.x] = threadIdx.x; }  // other side
__global__ void consume(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x] + 1; }  // expect: race // fix: __global__ void consume(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x] + 1; }

int main() {
  int *x, *y, *z, h[64];
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&z, sizeof h);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t made;
  cudaEventCreate(&made);
  produce<<<1, 64, 0, first>>>(x);
  cudaEventRecord(made, first);
  prepare<<<1, 64, 0, second>>>(z);
  // fix: cudaStreamWaitEvent(second, made, 0);
  consume<<<1, 64, 0, second>>>(x, y);
  cudaDeviceSynchronize();
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[63]);
  cudaEventDestroy(made);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
