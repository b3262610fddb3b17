// lazy: elementwise/7-relu-half2
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// The right instruction, and one pair per thread: a load brings a quarter of what it could.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void relu_kernel(const __half* in, __half* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 zero = __float2half2_rn(0.0f);
  if (2 * p + 1 < n)
    reinterpret_cast<__half2*>(out)[p] =
        __hmax2_nan(reinterpret_cast<const __half2*>(in)[p], zero);
  else if (2 * p < n)
    out[2 * p] = __hmax_nan(in[2 * p], __low2half(zero));
}

void relu(const __half* in, __half* out, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, out, n);
}
