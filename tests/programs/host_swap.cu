// Host and device change the same words by atomics, without waiting: the host's compare-and-swap gets its expected value
// from a plain load, and compares again.
#include <cstdio>

__global__ void raise(int* words, int times) {
  for (int i = 0; i < times; ++i) {
    atomicAdd_system(&words[0], 1);
    atomicMax_system(&words[1], int(threadIdx.x));
  }
}

int main() {
  int* words;
  cudaMallocManaged(&words, 2 * sizeof(int));
  words[0] = words[1] = 0;
  raise<<<1, 64>>>(words, 10);
  for (int i = 0; i < 100; ++i) {
    __sync_fetch_and_add(&words[0], 2);
    int old, expected;
    do {
      expected = words[1];
      old = __sync_val_compare_and_swap(&words[1], expected, expected > i ? expected : i);
    } while (old != expected);
  }
  cudaDeviceSynchronize();
  printf("sum %d, maximum %d\n", words[0], words[1]);
  cudaFree(words);
}
