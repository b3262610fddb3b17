// unconventional: privatisation/7-window
// 128 threads, and doubling: sums of 2, 4, 8 and 16 inputs in four rounds, each with a barrier on
// both sides.
constexpr int threads = 128;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int first = blockIdx.x * threads;
  const int length = threads + window - 1;
  for (int t = threadIdx.x; t < length; t += threads) {
    const int at = first + t;
    tile[t] = at < n + window - 1 ? in[at] : 0.0f;
  }
  __syncthreads();
  for (int reach = 1; reach < window; reach *= 2) {
    float a = 0.0f;
    float b = 0.0f;
    const int t = threadIdx.x;
    const int u = threadIdx.x + threads;
    if (t + reach < length) a = tile[t + reach];
    if (u + reach < length) b = tile[u + reach];
    __syncthreads();
    tile[t] += a;
    if (u < length) tile[u] += b;
    __syncthreads();
  }
  const int i = first + threadIdx.x;
  if (i < n) out[i] = tile[threadIdx.x];
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  const int bytes = (threads + window - 1) * sizeof(float);
  sum_kernel<<<(n + threads - 1) / threads, threads, bytes>>>(in, out, n);
}
