// wrong: reduce/15-max
// mistake: A float4 has four values: y is never compared, and the largest may lie there.
// expect: gate_failed gate right == 1 (n=65537, shift=4)
// The largest of n floats, in one launch.
// Bound by DRAM bandwidth, as the sum is. Only the operation and its start value change.
#include <cmath>

constexpr int threads = 1024;
constexpr int warps = threads / 32;
constexpr int loads = 4;  // float4 loads per thread
constexpr int per_block = loads * 4 * threads;
constexpr int most_blocks = (1 << 30) / per_block;
constexpr float least = -INFINITY;  // what a maximum starts from

/// The largest over a warp, in every lane of it. All 32 lanes must take part.
__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, offset));
  return value;
}

/// The largest over the block, in every thread of it. All threads must take part.
__device__ float block_max(float value) {
  __shared__ float s[warps];  // one word per warp
  value = warp_max(value);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_max(s[threadIdx.x % 32]);
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ float partials[most_blocks];
__device__ unsigned done;  // 0 between launches

__global__ void max_kernel(const float* in, float* largest, int n) {
  const int tid = threadIdx.x;
  const int start = blockIdx.x * per_block;
  float value = least;
  if (start + per_block <= n) {
    const float4* in4 = reinterpret_cast<const float4*>(in + start);
    float4 v[loads];
    for (int k = 0; k < loads; ++k) v[k] = in4[k * threads + tid];
    for (int k = 0; k < loads; ++k) {
      value = fmaxf(value, fmaxf(v[k].x, fmaxf(v[k].z, v[k].w)));
    }
  } else {
    // The last block, when it is not full.
    for (int i = start + tid; i < n; i += threads) value = fmaxf(value, in[i]);
  }
  value = block_max(value);

  __shared__ bool last;
  if (tid == 0) {
    partials[blockIdx.x] = value;
    __threadfence();  // the block's maximum is visible before the count
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __threadfence();  // the last block sees all maxima
  }
  __syncthreads();
  if (!last) return;

  value = least;
  for (int i = tid; i < gridDim.x; i += threads) value = fmaxf(value, partials[i]);
  value = block_max(value);
  if (tid == 0) {
    *largest = value;
    done = 0;  // ready for the next launch
  }
}

void maximum(const float* in, float* largest, int n) {
  // at least one, which writes the result
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;
  max_kernel<<<blocks, threads>>>(in, largest, n);
}
