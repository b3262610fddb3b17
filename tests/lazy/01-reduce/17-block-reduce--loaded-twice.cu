// lazy: reduce/17-block-reduce
// expect: gate global_load_sectors <= n / 8 + 16
// The block sum by shuffles, called twice, and the elements loaded again for the squares.
constexpr int threads = 256;
constexpr int per_block = 4 * threads;

__device__ float block_sum(float value, float* s) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  if (threadIdx.x == 0)
    for (int w = 0; w < threads / 32; ++w) sum += s[w];
  return sum;
}

__global__ void moments_kernel(const float* in, float2* out, int n) {
  __shared__ float a[threads / 32], b[threads / 32];
  const int first = blockIdx.x * per_block + threadIdx.x;
  float sum = 0.0f, squares = 0.0f;
  for (int i = first; i < first + per_block && i < n; i += threads) sum += __ldcg(&in[i]);
  sum = block_sum(sum, a);
  for (int i = first; i < first + per_block && i < n; i += threads)
    squares += __ldcg(&in[i]) * __ldcg(&in[i]);
  squares = block_sum(squares, b);
  if (threadIdx.x == 0) out[blockIdx.x] = {sum, squares};
}

void moments(const float* in, float2* out, int n) {
  if (n == 0) return;
  moments_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
