// wrong: elementwise/5-half
// mistake: A lane loads less than it can: take eight halves at once, 16 bytes, as one uint4.
// expect: gate_failed gate global_load_lane_bytes >= 480 * global_load_requests
#include <cuda_fp16.h>

constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return __fdividef(1.0f, 1.0f + __expf(-x));  // exp(-x) may be infinite: 1 / infinity is 0, as it should be
}

__device__ __half2 sigmoid_of(__half2 x) {
  const float2 wide = __half22float2(x);
  return __floats2half2_rn(sigmoid_of(wide.x), sigmoid_of(wide.y));
}

__global__ void sigmoid_kernel(const __half* in, __half* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    uint2 pack = reinterpret_cast<const uint2*>(in)[first / 4];  // 16 bytes: eight halves
    __half2* pair = reinterpret_cast<__half2*>(&pack);
    for (int k = 0; k < 2; ++k) pair[k] = sigmoid_of(pair[k]);
    reinterpret_cast<uint2*>(out)[first / 4] = pack;
  } else {
    for (int i = first; i < n; ++i) out[i] = __float2half(sigmoid_of(__half2float(in[i])));  // seven at most
  }
}

void sigmoid(const __half* in, __half* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  sigmoid_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
