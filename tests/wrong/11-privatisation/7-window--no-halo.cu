// wrong: privatisation/7-window
// mistake: 256 threads loaded 256 inputs; the last 15 threads read 15 more, which no thread loaded.
// expect: finding
// out[i] is the sum of 16 consecutive inputs from in[i] on; in has n + 15 elements.
constexpr int threads = 256, window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[threads + window - 1];
  const int first = blockIdx.x * threads, i = first + threadIdx.x;
  if (i < n + window - 1) tile[threadIdx.x] = in[i];
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
