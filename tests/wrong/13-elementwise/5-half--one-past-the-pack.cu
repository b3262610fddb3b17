// wrong: elementwise/5-half
// mistake: Where seven elements are left, first + 7 is n: the pack would read and write one past the end.
// expect: finding out_of_bounds
// out = 1 / (1 + exp(-in)) on halves, eight per thread: 16 bytes per load and store, float in
// between.
// Bound by DRAM bandwidth: 4 bytes per element, half of what floats need.
#include <cuda_fp16.h>

constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return __fdividef(1.0f, 1.0f + __expf(-x));  // exp(-x) may be infinite: 1 / infinity is 0
}

__device__ __half2 sigmoid_of(__half2 x) {
  const float2 wide = __half22float2(x);
  return __floats2half2_rn(sigmoid_of(wide.x), sigmoid_of(wide.y));
}

__global__ void sigmoid_kernel(const __half* in, __half* out, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 7 <= n) {
    uint4 pack = reinterpret_cast<const uint4*>(in)[first / 8];  // 16 bytes: eight halves
    __half2* pair = reinterpret_cast<__half2*>(&pack);
    for (int k = 0; k < 4; ++k) pair[k] = sigmoid_of(pair[k]);
    reinterpret_cast<uint4*>(out)[first / 8] = pack;
  } else {
    for (int i = first; i < n; ++i)
      out[i] = __float2half(sigmoid_of(__half2float(in[i])));  // seven at most
  }
}

void sigmoid(const __half* in, __half* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 8 * threads;
  sigmoid_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
