// out[i] is the sum of 16 consecutive inputs from in[i] on; in has n + 15 elements.
// Bound by latency: a load, a barrier, and 16 shared loads. Each input comes from global memory
// once per block.
constexpr int threads = 256;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[threads + window - 1];
  const int first = blockIdx.x * threads;
  const int i = first + threadIdx.x;
  for (int t = threadIdx.x; t < threads + window - 1; t += threads)
    if (first + t < n + window - 1) tile[t] = in[first + t];
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < window; ++k) sum += tile[threadIdx.x + k];
  out[i] = sum;
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
