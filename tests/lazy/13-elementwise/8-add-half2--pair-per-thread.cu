// lazy: elementwise/8-add-half2
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// The right instruction, and one pair per thread: a load brings a quarter of what it could.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void add_kernel(const __half* a, const __half* b, __half* c, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * p + 1 < n)
    reinterpret_cast<__half2*>(c)[p] = __hadd2(reinterpret_cast<const __half2*>(a)[p],
                                               reinterpret_cast<const __half2*>(b)[p]);
  else if (2 * p < n)
    c[2 * p] = __hadd(a[2 * p], b[2 * p]);
}

void add(const __half* a, const __half* b, __half* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(a, b, c, n);
}
