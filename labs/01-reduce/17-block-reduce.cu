// Sum and sum of squares of each 1024 floats. Each goes through a tree in shared memory, written by
// hand.
constexpr int threads = 256;
constexpr int per_block = 4 * threads;

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[threads];
  __syncthreads();  // the words may be in use by the call before
  s[threadIdx.x] = value;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  return s[0];
}

__global__ void moments_kernel(const float* in, float2* out, int n) {
  float sum = 0.0f;
  float squares = 0.0f;
  const int first = blockIdx.x * per_block + threadIdx.x;
#pragma unroll
  for (int i = first; i < first + per_block; i += threads) {
    const float x = i < n ? in[i] : 0.0f;
    sum += x;
    squares += x * x;
  }
  // TODO: let CUB add up the block. cub::BlockReduce<T, threads> needs shared memory of its type
  // TempStorage, and returns the result to thread 0. Reduce both sums at once, as a float2.
  sum = block_sum(sum);
  squares = block_sum(squares);
  if (threadIdx.x == 0) out[blockIdx.x] = {sum, squares};
}

void moments(const float* in, float2* out, int n) {
  if (n == 0) return;
  moments_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
