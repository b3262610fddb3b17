// unconventional: elementwise/8-add-half2
// Two packs per thread, and a multiply-add by one in place of the addition: rounded once as well.
#include <cuda_fp16.h>

constexpr int threads = 256;

__device__ unsigned sum_of(unsigned x, unsigned y) {
  const __half2 sum = __hfma2(*reinterpret_cast<const __half2*>(&x), __float2half2_rn(1.0f),
                              *reinterpret_cast<const __half2*>(&y));
  return *reinterpret_cast<const unsigned*>(&sum);
}

__global__ void add_kernel(const __half* a, const __half* b, __half* c, int n) {
  const uint4* u = reinterpret_cast<const uint4*>(a);
  const uint4* v = reinterpret_cast<const uint4*>(b);
  const int first = blockIdx.x * (2 * threads) + threadIdx.x;
#pragma unroll
  for (int pack = first; pack < first + 2 * threads; pack += threads)
    if (8 * pack + 7 < n) {
      const uint4 x = u[pack], y = v[pack];
      reinterpret_cast<uint4*>(c)[pack] =
          make_uint4(sum_of(x.x, y.x), sum_of(x.y, y.y), sum_of(x.z, y.z), sum_of(x.w, y.w));
    } else {
      for (int i = 8 * pack; i < n; ++i) c[i] = __hadd(a[i], b[i]);
    }
}

void add(const __half* a, const __half* b, __half* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + 16 * threads - 1) / (16 * threads), threads>>>(a, b, c, n);
}
