// wrong: elementwise/8-add-half2
// mistake: Where seven elements are left, first + 7 is n: the pack would read and write one past the end.
// expect: finding out_of_bounds
// c = a + b on halves: eight per thread, two per instruction.
// Bound by DRAM bandwidth: 6 bytes per element. One addition in half is rounded once, so it equals
// the float sum rounded to half.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void add_kernel(const __half* a, const __half* b, __half* c, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 7 <= n) {
    uint4 u = *reinterpret_cast<const uint4*>(a + first);  // 16 bytes: eight halves
    uint4 v = *reinterpret_cast<const uint4*>(b + first);
    __half2* sum = reinterpret_cast<__half2*>(&u);
    const __half2* other = reinterpret_cast<const __half2*>(&v);
#pragma unroll
    for (int k = 0; k < 4; ++k) sum[k] = __hadd2(sum[k], other[k]);  // two at a time
    *reinterpret_cast<uint4*>(c + first) = u;
  } else {  // seven at most
    for (int i = first; i < n; ++i) c[i] = __hadd(a[i], b[i]);
  }
}

void add(const __half* a, const __half* b, __half* c, int n) {
  if (n == 0) return;
  constexpr int per_block = 8 * threads;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
