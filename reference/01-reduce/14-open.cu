// Sum of all floats as fast as memory delivers them. tests/tuning/reduce.cu compares this shape
// with forty others, and `warpdojo bench cuda` measures it again.
// Bound by DRAM bandwidth. A thread issues eight float4 loads before it adds the first, so that
// 128 KiB are in flight per SM. All blocks are resident at once, so no block starts late.
#include <cstdio>

constexpr int threads = 512;
constexpr int warps = threads / 32;
constexpr int blocks_per_sm = 2;
constexpr int loads = 8;  // float4 loads per thread and round
constexpr int most_blocks = 4096;

/// The sum over a warp, in every lane of it. All 32 lanes must take part.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, offset);
  }
  return value;
}

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[warps];  // one word per warp
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_sum(threadIdx.x % 32 < warps ? s[threadIdx.x % 32] : 0.0f);
}

/// This thread's eight float4 of the block's round that starts at `first`, `threads` apart; zeros
/// past the end. __ldcs: read once, so keep nothing of it.
__device__ void fetch(float4 (&v)[loads], const float4* in, int first, int n4) {
  const float4* mine = in + first + threadIdx.x;
  if (first + loads * threads <= n4) {  // the whole round is there: one check for all loads
#pragma unroll
    for (int k = 0; k < loads; ++k) v[k] = __ldcs(&mine[k * threads]);
  } else {
#pragma unroll
    for (int k = 0; k < loads; ++k) {
      v[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (first + k * threads + threadIdx.x < n4) v[k] = __ldcs(&mine[k * threads]);
    }
  }
}

__device__ float sum_of(const float4 (&v)[loads]) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < loads; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  return sum;
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ float partials[most_blocks];
__device__ unsigned done;  // 0 between launches

__global__ void __launch_bounds__(threads, blocks_per_sm)
reduce_kernel(const float* in, float* sum, int n) {
  const float4* in4 = reinterpret_cast<const float4*>(in);
  const int n4 = n / 4, round = gridDim.x * threads * loads;
  float value = 0.0f;
  for (int at = blockIdx.x * threads * loads; at < n4; at += round) {
    float4 v[loads];
    fetch(v, in4, at, n4);
    value += sum_of(v);
  }
  // the last three at most
  if (blockIdx.x == 0 && threadIdx.x < n % 4) value += in[4 * n4 + threadIdx.x];
  value = block_sum(value);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();  // the partial sum is visible before the count
    // and back to 0, ready for the next launch
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // the last block sees all partial sums
  }
  __syncthreads();
  if (!last) return;

  value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += threads) value += partials[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void reduce(const float* in, float* sum, int n) {
  int sms = 1;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  // at least one, which writes the 0
  const int needed = n > 0 ? (n - 1) / (4 * loads * threads) + 1 : 1;
  reduce_kernel<<<min(needed, min(blocks_per_sm * sms, most_blocks)), threads>>>(in, sum, n);
  check(cudaGetLastError());
}
