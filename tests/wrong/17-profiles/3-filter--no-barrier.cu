// wrong: profiles/3-filter
// mistake: Threads use taps that others have not yet copied: the barrier is missing.
// expect: finding race
constexpr int threads = 64;

__global__ void filter_kernel(const float* in, const float* taps, float* out, int n, int count) {
  extern __shared__ float weights[];
  for (int k = threadIdx.x; k < count; k += threads) weights[k] = taps[k];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  const size_t bytes = count * sizeof(float);
  filter_kernel<<<(n + threads - 1) / threads, threads, bytes>>>(in, taps, out, n, count);
}
