// unconventional: elementwise/5-half
// The pack is a float4 whose four words are pairs of halves.
#include <cuda_fp16.h>

constexpr int threads = 128;

__device__ float sigmoid_of(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

__device__ float pair_of(float word) {
  const float2 x = __half22float2(*reinterpret_cast<const __half2*>(&word));
  const __half2 y = __floats2half2_rn(sigmoid_of(x.x), sigmoid_of(x.y));
  return *reinterpret_cast<const float*>(&y);
}

__global__ void sigmoid_kernel(const __half* in, __half* out, int n) {
  const int p = blockIdx.x * threads + threadIdx.x;
  if (p < n / 8) {
    const float4 x = reinterpret_cast<const float4*>(in)[p];
    reinterpret_cast<float4*>(out)[p] =
        make_float4(pair_of(x.x), pair_of(x.y), pair_of(x.z), pair_of(x.w));
  }
  const int last = n / 8 * 8 + p;
  if (p < n % 8) out[last] = __float2half(sigmoid_of(__half2float(in[last])));
}

void sigmoid(const __half* in, __half* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n / 8 + threads) / threads, threads>>>(in, out, n);
}
