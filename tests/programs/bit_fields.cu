// Bit-fields of a new structure are set one by one: each reads the word that holds those not set yet.
#include <cstdio>

struct Flags {
  unsigned kind : 4, level : 12, owner : 16;
};

__global__ void mark(unsigned* out) {
  Flags f;
  f.kind = threadIdx.x % 16;
  f.level = 100 + threadIdx.x;
  f.owner = blockIdx.x;
  out[threadIdx.x] = f.kind + f.level * 16 + f.owner * 65536;
}

int main() {
  unsigned *out, h[32];
  cudaMalloc(&out, sizeof h);
  mark<<<1, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%u %u\n", h[0], h[31]);
  cudaFree(out);
}
