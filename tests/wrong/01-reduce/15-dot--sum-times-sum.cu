// wrong: reduce/15-dot
// mistake: The product of the sums is not the sum of the products: multiply before adding.
// expect: wrong
constexpr int threads = 1024;
constexpr int warps = threads / 32;
constexpr int loads = 2;  // of a float4, by each thread, from each array
constexpr int per_block = loads * 4 * threads;
constexpr int most_blocks = (1 << 29) / per_block;

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

__global__ void dot_kernel(const float* a, const float* b, float* sum, int n) {
  const int tid = threadIdx.x, start = blockIdx.x * per_block;
  float value = 0.0f;
  if (start + per_block <= n) {
    const float4* a4 = reinterpret_cast<const float4*>(a + start);
    const float4* b4 = reinterpret_cast<const float4*>(b + start);
    float4 u[loads], v[loads];
    for (int k = 0; k < loads; ++k) u[k] = a4[k * threads + tid], v[k] = b4[k * threads + tid];
    for (int k = 0; k < loads; ++k)
      value += (u[k].x + u[k].y + u[k].z + u[k].w) * (v[k].x + v[k].y + v[k].z + v[k].w);
  } else {
    for (int i = start + tid; i < n; i += threads) value += a[i] * b[i];  // a last block that isn't full
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

void dot(const float* a, const float* b, float* sum, int n) {
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;  // one even for n = 0: it writes the 0
  dot_kernel<<<blocks, threads>>>(a, b, sum, n);
}
