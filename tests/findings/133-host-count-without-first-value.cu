// Uninitialised, register: host code counts in a variable that has no first value.
// Compute Sanitizer: not found
#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int refused(int* out, int n) {
  int count;
  for (int threads = 4096; threads > 0; threads /= 2) {
    fill<<<(n + threads - 1) / threads, threads>>>(out, n);
    if (cudaGetLastError() == cudaSuccess) break;
    ++count;  // expect: uninitialized // fix: count = threads == 4096 ? 1 : count + 1;
  }
  return count;
}

int main() {
  const int n = 1000;
  int* out;
  cudaMalloc(&out, n * sizeof(int));
  printf("%d launches were refused\n", refused(out, n));
  cudaFree(out);
}
