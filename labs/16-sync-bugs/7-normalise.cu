// out[i] = in[i] / (the sum of all).
// TODO: find and fix the bug.
constexpr int threads = 256;
constexpr int most_blocks = 256;
__device__ float partials[most_blocks];

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  __syncthreads();  // s is used again by the next call
  return value;
}

__global__ void normalise_kernel(const float* in, float* out, int n) {
  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += in[i];
  value = block_sum(value);
  if (threadIdx.x == 0) partials[blockIdx.x] = value;

  __threadfence();

  const float sum = block_sum(threadIdx.x < gridDim.x ? partials[threadIdx.x] : 0.0f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] / sum;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  const int blocks = min(most_blocks, (n + threads - 1) / threads);
  normalise_kernel<<<blocks, threads>>>(in, out, n);
}
