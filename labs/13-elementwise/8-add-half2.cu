// c = a + b on halves, one per thread, by way of float.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void add_kernel(const __half* a, const __half* b, __half* c, int n) {
  // TODO: eight halves per thread, 16 bytes per load and store. Add two halves per instruction.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = __float2half(__half2float(a[i]) + __half2float(b[i]));
}

void add(const __half* a, const __half* b, __half* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}
