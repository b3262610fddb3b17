// wrong: elementwise/7-relu-half2
// mistake: Where seven elements are left, first + 7 is n: the pack would read and write one past the end.
// expect: finding out_of_bounds
// out = in where that is positive, else 0, on halves: eight per thread, two per instruction.
// NaN inputs stay NaN. Bound by DRAM bandwidth: 4 bytes per element. Nothing is converted.
#include <cuda_fp16.h>

constexpr int threads = 256;

__global__ void relu_kernel(const __half* in, __half* out, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  const __half2 zero = __float2half2_rn(0.0f);
  if (first + 7 <= n) {
    uint4 pack = *reinterpret_cast<const uint4*>(in + first);  // 16 bytes: eight halves
    __half2* pair = reinterpret_cast<__half2*>(&pack);
#pragma unroll
    for (int k = 0; k < 4; ++k) pair[k] = __hmax2_nan(pair[k], zero);  // two at a time
    *reinterpret_cast<uint4*>(out + first) = pack;
  } else {  // seven at most
    for (int i = first; i < n; ++i) out[i] = __hmax_nan(in[i], __low2half(zero));
  }
}

void relu(const __half* in, __half* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 8 * threads;
  relu_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
