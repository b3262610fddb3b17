// A filter: out[i] = sum of taps[k] * in[i + k]. The block keeps the taps in shared memory, and
// asks for no more than they need. Bound by starting blocks: each has only 64 outputs.
constexpr int threads = 64;

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
  const size_t bytes = count * sizeof(float);
  filter_kernel<<<(n + threads - 1) / threads, threads, bytes>>>(in, taps, out, n, count);
}
