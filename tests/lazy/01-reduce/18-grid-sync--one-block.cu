// lazy: reduce/18-grid-sync
// expect: gate time_us <= 1.5 * reference(self)
// One block does everything: its barrier is the grid's, and 131 SMs are idle.
constexpr int threads = 1024;

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  __syncthreads();  // for calls with no other barrier between: the words have been read
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < threads / 32; ++w) sum += s[w];
  return sum;
}

__global__ void centre_kernel(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += threads) sum += in[i];
  const float mean = block_sum(sum) / n;
  for (int i = threadIdx.x; i < n; i += threads) out[i] = in[i] - mean;
}

void centre(const float* in, float* out, int n) {
  if (n > 0) centre_kernel<<<1, threads>>>(in, out, n);
}
