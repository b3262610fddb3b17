// lazy: elementwise/7-relu-half2
// expect: gate instructions <= 1.6 * reference(self)
// Halves compared one by one: no conversion, but an instruction works on a single half.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void relu_kernel(const __half* in, __half* out, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  const __half zero = __float2half(0.0f);
  if (first + 7 < n) {
    uint4 pack = *reinterpret_cast<const uint4*>(in + first);
    __half* one = reinterpret_cast<__half*>(&pack);
#pragma unroll
    for (int k = 0; k < 8; ++k) one[k] = __hlt(one[k], zero) ? zero : one[k];
    *reinterpret_cast<uint4*>(out + first) = pack;
  } else {
    for (int i = first; i < n; ++i) out[i] = __hlt(in[i], zero) ? zero : in[i];
  }
}

void relu(const __half* in, __half* out, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + 8 * threads - 1) / (8 * threads), threads>>>(in, out, n);
}
