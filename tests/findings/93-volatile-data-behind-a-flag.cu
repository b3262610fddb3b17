// Race, global, volatile: a volatile flag is polled, but no fence stands between the data and the flag.
#include <cstdio>

__device__ volatile int data[32];
__device__ volatile int ready;

__global__ void pass_on(int* out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;  // other side
    // fix: __threadfence();
    __syncwarp();
    if (t == 0) ready = 1;
  } else {
    while (ready == 0) {}
    out[t] = data[31 - t];  // expect: race // fix: out[t] = data[31 - t];
  }
}

int main() {
  int *out, h[32];
  cudaMalloc(&out, sizeof h);
  pass_on<<<2, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(out);
}
