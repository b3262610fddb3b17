// wrong: reduce/9-vec4
// mistake: One block too many where n is a multiple of the elements per block: it stores a partial sum past the end.
// expect: finding out_of_bounds
// Sum of each 1024 floats: each thread loads four of them with one instruction.
// Bound by DRAM bandwidth. 16 bytes per lane take a quarter of the load instructions.
constexpr int threads = 256;
constexpr int warps = threads / 32;

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
  const float sum = block_sum(sum_of_four(in, first, n));
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  reduce_kernel<<<(n + per_block) / per_block, threads>>>(in, partials, n);
}
