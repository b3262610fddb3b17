// Race, shared, memory order: the flag is set with relaxed order. The twin releases and acquires, and needs no fence.
#include <cstdio>
#include <cuda/atomic>

__global__ void pass_on(int* out) {
  __shared__ int tile[32];
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(ready);
  if (threadIdx.x == 0) {
    tile[0] = 7;                                // other side
    flag.store(1, cuda::memory_order_relaxed);  // fix: flag.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (flag.load(cuda::memory_order_acquire) == 0) {}
    *out = tile[0];  // expect: race // fix: *out = tile[0];
  }
}

int main() {
  int *out, h;
  cudaMalloc(&out, sizeof h);
  pass_on<<<1, 64>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(out);
}
