// lazy: elementwise/5-half
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// Pairs of halves: the conversions are right, the loads bring a quarter of what they could.
#include <cuda_fp16.h>

constexpr int threads = 256;

__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

__global__ void sigmoid_kernel(const __half* in, __half* out, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * p + 1 < n) {
    const float2 x = __half22float2(reinterpret_cast<const __half2*>(in)[p]);
    reinterpret_cast<__half2*>(out)[p] = __floats2half2_rn(sigmoid_of(x.x), sigmoid_of(x.y));
  } else if (2 * p < n) {
    out[2 * p] = __float2half(sigmoid_of(__half2float(in[2 * p])));
  }
}

void sigmoid(const __half* in, __half* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, out, n);
}
