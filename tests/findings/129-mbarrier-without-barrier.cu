// Race, shared, mbarrier: thread 0 initialises the mbarrier, and the others arrive at it at once.
#include <cstdio>

__global__ void rotate(int* data) {
  __shared__ unsigned long long all_in;
  __shared__ int tile[64];
  const unsigned bar = unsigned(__cvta_generic_to_shared(&all_in)), t = threadIdx.x;
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");  // other side
  // fix: __syncthreads();
  tile[t] = data[t];
  unsigned long long phase;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(bar) : "memory");  // expect: race // fix: asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(bar) : "memory");
  unsigned done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(bar), "l"(phase) : "memory");
  data[t] = tile[(t + 1) % 64];
}

int main() {
  int *data, h[64];
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&data, sizeof h);
  cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
  rotate<<<1, 64>>>(data);
  cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(data);
}
