// unconventional: elementwise/8-add-half2
// A fixed grid, past the caches.
#include <cuda_fp16.h>

__global__ void k(const __half* a, const __half* b, __half* c, int n) {
  const int packs = n / 8, all = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int p = me; p < packs; p += all) {
    uint4 x = __ldcs(reinterpret_cast<const uint4*>(a) + p),
          y = __ldcs(reinterpret_cast<const uint4*>(b) + p);
    __half2 *u = reinterpret_cast<__half2*>(&x), *w = reinterpret_cast<__half2*>(&y);
#pragma unroll
    for (int j = 0; j < 4; ++j) u[j] = __hadd2(u[j], w[j]);
    __stcs(reinterpret_cast<uint4*>(c) + p, x);
  }
  for (int i = 8 * packs + me; i < n; i += all) c[i] = __hadd(a[i], b[i]);
}
void add(const __half* a, const __half* b, __half* c, int n) {
  if (n) k<<<528, 256>>>(a, b, c, n);
}
