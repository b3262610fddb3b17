// The kernels of fair.cu, without a clock, so that the SIMT machine's time model can run the same ones.
#pragma once

enum Work { kMultiply, kShared, kL1, kL1Chain, kColumns, kL2 };

/// A block of 256 threads that does one kind of work, `turns` turns of it.
template <Work work>
__device__ inline float busy_body(const float* in, int turns, unsigned mask) {
  __shared__ float s[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  float sum = threadIdx.x, a = 0.5f, b = sum, c = a, d = b;
  unsigned at = threadIdx.x;
  const float* own = in + (blockIdx.x * 8 + threadIdx.x / 32) % 64 * 32;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    if (work == kMultiply) {
#pragma unroll
      for (int k = 0; k < 8; ++k) sum = sum * a + b, b = b * a + c, c = c * a + d, d = d * a + sum;
    } else if (work == kShared) {
#pragma unroll
      for (int k = 0; k < 8; ++k) sum += s[(at + k * 32) & 1023];
    } else if (work == kL1) {
#pragma unroll
      for (int k = 0; k < 8; ++k) sum += in[(at + k * 32) & 1023];
    } else if (work == kL1Chain) {
      sum += in[(at + __float_as_uint(sum)) & 1023];
    } else if (work == kColumns) {  // as a matrix product without tiles: a word that the warp shares, and a row that its block shares
#pragma unroll
      for (int k = 0; k < 4; ++k) sum += own[(i * 4 + k) & 2047] * in[(size_t(i * 4 + k) * 512 + blockIdx.x % 16 * 32 + threadIdx.x % 32) & mask];
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) sum += __ldcg(in + (((i * 4 + k) * 1056 + blockIdx.x) * 256 + threadIdx.x & mask));
    }
    at += 32;
  }
  return sum + b + c + d;
}
