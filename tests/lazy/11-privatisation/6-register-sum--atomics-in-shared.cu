// lazy: privatisation/6-register-sum
// expect: gate shared_stores + shared_atomics <= n / 16 + 8
// The sum lies in shared memory, and atomic operations add to it.
constexpr int threads = 256;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  __shared__ float s[threads];
  s[threadIdx.x] = 0.0f;
  for (int k = 0; k < window; ++k) atomicAdd(&s[threadIdx.x], in[i + k]);
  out[i] = s[threadIdx.x];
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
