// Three-point average: out[i] = (in[i-1] + in[i] + in[i+1]) / 3, with 0 beyond both ends.
// TODO: find and fix the bug.
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
    const float left = k > 0 ? s[k - 1] : 0.0f;
    const float right = k + 1 < threads + 2 ? s[k + 1] : 0.0f;
    if (i >= 0 && i < n) out[i] = (left + s[k] + right) / 3.0f;
  }
}

void average(const float* in, float* out, int n) {
  if (n == 0) return;
  average_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
