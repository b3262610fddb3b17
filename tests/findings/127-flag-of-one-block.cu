// Race, global, scope: one word is handed over by atomicExch_block, and the block that polls it is another one.
#include <cstdio>

__device__ unsigned mailbox;

__global__ void hand_over(unsigned* out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    atomicExch_block(&mailbox, 42);  // other side // fix: atomicExch(&mailbox, 42);
  } else {
    unsigned seen = 0;
    while (seen == 0) seen = *(volatile unsigned*)&mailbox;  // expect: race // fix: while (seen == 0) seen = *(volatile unsigned*)&mailbox;
    *out = seen;
  }
}

int main() {
  unsigned *out, h;
  cudaMalloc(&out, sizeof h);
  hand_over<<<2, 32>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%u\n", h);
  cudaFree(out);
}
