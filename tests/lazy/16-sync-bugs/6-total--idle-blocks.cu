// lazy: sync-bugs/6-total
// expect: gate tail_idle <= 0.85
// Block 0 adds up everything. The other blocks return at once, so none waits for another.
constexpr int threads = 1024;

__global__ void sum_kernel(const float* in, float* sum, int n) {
  if (blockIdx.x > 0) return;
  __shared__ float s[threads / 32];
  float value = 0.0f;
  for (int i = threadIdx.x; i < n; i += threads) value += in[i];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x > 0) return;
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  *sum = value;
}

void total(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + threads - 1) / threads : 1;
  sum_kernel<<<blocks, threads>>>(in, sum, n);
}
