// Host and kernel hand each other a value through mapped memory: the kernel by a fence and a volatile flag, the
// host by an atomic.
#include <cstdio>
#include <cuda/atomic>

using Flag = cuda::atomic_ref<int, cuda::thread_scope_system>;

__global__ void produce(volatile int* ready, int* data) {
  data[0] = 5;
  __threadfence_system();
  *ready = 1;
}

__global__ void consume(int* ready, int* data) {
  while (Flag(*ready).load(cuda::memory_order_acquire) == 0) {}
  data[0] += 1;
}

int main() {
  int *ready, *data;
  cudaHostAlloc(&ready, sizeof(int), cudaHostAllocMapped);
  cudaHostAlloc(&data, sizeof(int), cudaHostAllocMapped);
  *ready = *data = 0;
  produce<<<1, 1>>>(ready, data);
  while (*(volatile int*)ready == 0) {}
  printf("from the kernel: %d\n", *data);
  cudaDeviceSynchronize();

  *ready = 0;
  consume<<<1, 1>>>(ready, data);
  Flag(*ready).store(1, cuda::memory_order_release);
  cudaDeviceSynchronize();
  printf("and back: %d\n", *data);
  cudaFreeHost(ready);
  cudaFreeHost(data);
}
