// lazy: sync-bugs/6-total
// expect: gate blocks >= n / 1024
// A single block adds everything up: always the last one.
constexpr int threads = 256;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  return value;
}

__global__ void sum_kernel(const float* in, float* sum, int n) {
  float value = 0.0f;
  for (int i = threadIdx.x; i < n; i += threads) value += in[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

void total(const float* in, float* sum, int n) { sum_kernel<<<1, threads>>>(in, sum, n); }
