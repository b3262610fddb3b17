// unconventional: profiles/3-filter
// Four outputs per thread share their loads: a window of inputs moves through registers.
constexpr int threads = 64;
__global__ void filter_kernel(const float* in, const float* taps, float* out, int n, int count) {
  extern __shared__ float weights[];
  for (int k = threadIdx.x; k < count; k += threads) weights[k] = taps[k];
  __syncthreads();
  const int i = (blockIdx.x * threads + threadIdx.x) * 4;
  if (i >= n) return;
  float sum[4] = {}, v[4];
  const int last = n + count - 2;
  for (int j = 0; j < 3; ++j) v[j] = in[min(i + j, last)];
  for (int k = 0; k < count; ++k) {
    v[3] = in[min(i + k + 3, last)];
    for (int j = 0; j < 4; ++j) sum[j] += weights[k] * v[j];
    for (int j = 0; j < 3; ++j) v[j] = v[j + 1];
  }
  for (int j = 0; j < 4; ++j)
    if (i + j < n) out[i + j] = sum[j];
}
void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  const size_t bytes = count * sizeof(float);
  filter_kernel<<<(n + threads * 4 - 1) / (threads * 4), threads, bytes>>>(in, taps, out, n, count);
}
