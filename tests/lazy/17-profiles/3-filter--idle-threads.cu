// lazy: profiles/3-filter
// expect: gate time_us <= 1.3 * reference(self)
// Blocks of 1024 threads, of which 64 work.
constexpr int threads = 64;
constexpr int launched = 1024;
constexpr int most_taps = 12288;  // of the longest filter that callers may ask for

__global__ void filter_kernel(const float* in, const float* taps, float* out, int n, int count) {
  extern __shared__ float weights[];
  for (int k = threadIdx.x; k < count; k += launched) weights[k] = taps[k];
  __syncthreads();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n || threadIdx.x >= threads) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  const size_t bytes = most_taps * sizeof(float);
  filter_kernel<<<(n + threads - 1) / threads, launched, bytes>>>(in, taps, out, n, count);
}
