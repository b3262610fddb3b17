// The kernels of joined_stores.cu, without a clock, so that the SIMT machine's time model can run them too.
#pragma once

/// What a warp does between two stores to the same sectors.
enum class Between { straight, nothing, work, shared, load, chunk, line };

/// Each thread stores the eight words of a sector of its own, one after another; consecutive lanes have
/// consecutive sectors. `sets`: the warp stores to so many groups of 32 sectors, one after the other. `amount`: how much
/// it does between (multiply-adds, accesses of shared memory, loads that hit the L1, whole lines stored).
template <Between B>
__device__ inline void joined_stores_body(const float* in, float* out, unsigned rounds, unsigned sets,
                                          unsigned amount, unsigned words) {
  __shared__ unsigned shared[1024];
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  const unsigned mask = words - 1;
  unsigned x = thread;
  shared[threadIdx.x] = x;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    if (B == Between::straight) {
#pragma unroll
      for (unsigned w = 0; w < 8; ++w) out[((r * all + thread) * 8 + w) & mask] = float(x + w);
      continue;
    }
#pragma unroll 1
    for (unsigned w = 0; w < 8; ++w) {
#pragma unroll 1
      for (unsigned s = 0; s < sets; ++s) {
        const unsigned at = (((r * sets + s) * all + thread) * 8 + w) & mask;
        float v = float(x);
        if (B == Between::chunk) v = 0.5f * in[at] + 1.0f;
        out[at] = v;
      }
#pragma unroll 1
      for (unsigned k = 0; k < amount; ++k) {
        if (B == Between::work) x = x * x + 1;
        if (B == Between::shared) x += reinterpret_cast<volatile unsigned*>(shared)[(threadIdx.x + x) & 1023];
        if (B == Between::load) x += reinterpret_cast<const volatile unsigned*>(in)[x & 0];
        if (B == Between::line) out[words + (((r * amount + k) * all + thread) & mask)] = 1.0f;
      }
    }
  }
  if (x == 1) out[thread] = 2;
}
