// wrong: reduce/14-open
// mistake: The last block's fast path tests whether it starts inside the input, not whether it ends there: it reads past the end.
// expect: finding out_of_bounds line 35
constexpr int threads = 1024;
constexpr int warps = threads / 32;
constexpr int loads = 4;  // of a float4, by each thread
constexpr int per_block = loads * 4 * threads;
constexpr int most_blocks = (1 << 30) / per_block;

/// The sum over a warp, in every lane of it. All 32 lanes must take part.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  return value;
}

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[warps];  // one word per warp
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_sum(s[threadIdx.x % 32]);
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ float partials[most_blocks];
__device__ unsigned done;  // 0 between launches

__global__ void reduce_kernel(const float* in, float* sum, int n) {
  const int tid = threadIdx.x, start = blockIdx.x * per_block;
  float value = 0.0f;
  if (start < n) {
    const float4* in4 = reinterpret_cast<const float4*>(in + start);
    float4 v[loads];
    for (int k = 0; k < loads; ++k) v[k] = in4[k * threads + tid];
    for (int k = 0; k < loads; ++k) value += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  } else {
    for (int i = start + tid; i < n; i += threads) value += in[i];  // a last block that isn't full
  }
  value = block_sum(value);

  __shared__ bool last;
  if (tid == 0) {
    partials[blockIdx.x] = value;
    __threadfence();  // my partial sum is there before I am counted ...
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __threadfence();  // ... so the block that counts all of them sees all partial sums
  }
  __syncthreads();
  if (!last) return;

  value = 0.0f;
  for (int i = tid; i < gridDim.x; i += threads) value += partials[i];
  value = block_sum(value);
  if (tid == 0) {
    *sum = value;
    done = 0;  // ready for the next launch
  }
}

void reduce(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;  // one even for n = 0: it writes the 0
  reduce_kernel<<<blocks, threads>>>(in, sum, n);
}
