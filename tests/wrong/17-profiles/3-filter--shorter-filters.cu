// wrong: profiles/3-filter
// mistake: The launch asks for less shared memory than the longest filter needs.
// expect: finding out_of_bounds
// The longest filter is half as long.
constexpr int threads = 64;
constexpr int most_taps = 6144;  // of the longest filter that callers may ask for

__global__ void filter_kernel(const float* in, const float* taps, float* out, int n, int count) {
  extern __shared__ float weights[];
  for (int k = threadIdx.x; k < count; k += threads) weights[k] = taps[k];
  __syncthreads();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  const size_t bytes = most_taps * sizeof(float);
  filter_kernel<<<(n + threads - 1) / threads, threads, bytes>>>(in, taps, out, n, count);
}
