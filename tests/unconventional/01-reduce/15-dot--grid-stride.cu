// unconventional: reduce/15-dot
// A grid-stride loop over float4, past the caches.
constexpr int threads = 1024;
constexpr int warps = threads / 32;
constexpr int loads = 2;  // float4 loads per thread, from each array
constexpr int per_block = loads * 4 * threads;
constexpr int most_blocks = (1 << 29) / per_block;

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
  return warp_sum(s[threadIdx.x % 32]);
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ float partials[most_blocks];
__device__ unsigned done;  // 0 between launches

__global__ void dot_kernel(const float* a, const float* b, float* sum, int n) {
  const int tid = threadIdx.x;

  float value = 0.0f;
  const int quads = n / 4;
  for (int q = blockIdx.x * threads + tid; q < quads; q += gridDim.x * threads) {
    const float4 u = __ldcs(reinterpret_cast<const float4*>(a) + q),
                 v = __ldcs(reinterpret_cast<const float4*>(b) + q);
    value = fmaf(u.x, v.x, fmaf(u.y, v.y, fmaf(u.z, v.z, fmaf(u.w, v.w, value))));
  }
  for (int i = 4 * quads + blockIdx.x * threads + tid; i < n; i += gridDim.x * threads) value += a[i] * b[i];
  value = block_sum(value);

  __shared__ bool last;
  if (tid == 0) {
    partials[blockIdx.x] = value;
    __threadfence();  // the partial sum is visible before the count
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __threadfence();  // the last block sees all partial sums
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

void dot(const float* a, const float* b, float* sum, int n) {
  // at least one, which writes the 0
  const int blocks = 264;
  dot_kernel<<<blocks, threads>>>(a, b, sum, n);
}
