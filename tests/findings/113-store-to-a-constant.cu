// Trap: a kernel stores to a __constant__ table; the compiler puts a trap in place of the store.
#include <cstdio>

__constant__ int table[4];

__global__ void fill(int* out) {
  int* writable = const_cast<int*>(table);  // fix:
  out[threadIdx.x] = 1;  // expect: trap
  writable[threadIdx.x] = 3;  // fix: out[threadIdx.x] += table[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  fill<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
