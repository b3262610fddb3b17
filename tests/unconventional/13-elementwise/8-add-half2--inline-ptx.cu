// unconventional: elementwise/8-add-half2
#include <cuda_fp16.h>

__device__ unsigned sum(unsigned u, unsigned v) {
  unsigned s;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(s) : "r"(u), "r"(v));
  return s;
}

__global__ void add_kernel(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c,
                           int n) {
  const int whole = n / 8, t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t < whole) {
    const uint4 u = __ldg(reinterpret_cast<const uint4*>(a) + t),
                v = __ldg(reinterpret_cast<const uint4*>(b) + t);
    reinterpret_cast<uint4*>(c)[t] = {sum(u.x, v.x), sum(u.y, v.y), sum(u.z, v.z), sum(u.w, v.w)};
  } else if (t - whole < n % 8) {
    const int i = 7 * whole + t;
    c[i] = __float2half_rn(__half2float(a[i]) + __half2float(b[i]));
  }
}

void add(const __half* a, const __half* b, __half* c, int n) {
  if (n > 0) add_kernel<<<(n / 8 + 7 + 255) / 256, dim3(16, 16)>>>(a, b, c, n);
}
