// Sum of all floats: one kernel makes partial sums, a second one adds them.
#include <cstdio>

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int per_block = 4 * threads;

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
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) s[warp] = value;
  __syncthreads();
  return warp_sum(lane < warps ? s[lane] : 0.0f);
}

/// The sum of the four floats from `first` on, or of as many as there are.
__device__ float sum_of_four(const float* in, int first, int n) {
  if (first + 3 < n) {
    const float4 v = reinterpret_cast<const float4*>(in)[first / 4];  // one load of 16 bytes
    return (v.x + v.y) + (v.z + v.w);
  }
  float sum = 0.0f;  // the tail: three floats at most
  if (first < n) sum += in[first];
  if (first + 1 < n) sum += in[first + 1];
  if (first + 2 < n) sum += in[first + 2];
  return sum;
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const float partial = block_sum(sum_of_four(in, first, n));
  if (threadIdx.x == 0) partials[blockIdx.x] = partial;
}

/// One block: each thread adds every 256th partial sum, then the block adds up.
__global__ void finish_kernel(const float* partials, int count, float* sum) {
  float value = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) value += partials[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

// TODO: one launch instead of two. Count the blocks that have stored their partial sum, in a zeroed
// unsigned, with atomicAdd. The last block finds all partial sums there and does the work of
// finish_kernel. A __threadfence() between storing and counting makes the stored sum visible first.

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void reduce(const float* in, float* sum, int n) {
  // at least one, which writes the 0
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;
  float* partials;
  check(cudaMalloc(&partials, blocks * sizeof(float)));
  reduce_kernel<<<blocks, threads>>>(in, partials, n);
  finish_kernel<<<1, threads>>>(partials, blocks, sum);  // starts when the first kernel has ended
  check(cudaGetLastError());
  check(cudaFree(partials));
}
