// unconventional: sync-bugs/4-average
// The loop of the starter stays, and skips the two edge inputs.
constexpr int threads = 256;

__global__ void average_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads + 2];
  const int start =
      blockIdx.x * threads - 1;  // the block's first input, one before its first output
  for (int k = threadIdx.x; k < threads + 2; k += threads) {
    const int i = start + k;
    s[k] = (i >= 0 && i < n) ? in[i] : 0.0f;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < threads + 2; k += threads) {
    const int i = start + k;
    if (k == 0 || k == threads + 1 || i >= n) continue;
    out[i] = (s[k - 1] + s[k] + s[k + 1]) / 3.0f;
  }
}

void average(const float* in, float* out, int n) {
  if (n == 0) return;
  average_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
