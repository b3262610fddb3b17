// unconventional: sync-bugs/2-pairs
// Threads without an element load the last one again, so that no load needs a condition.
constexpr int threads = 256;

__global__ void pair_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads + 1];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = in[min(i, n - 1)];
  if (threadIdx.x == 0) s[threads] = in[min(i + threads, n - 1)];
  __syncthreads();
  if (i < n) out[i] = i + 1 < n ? 0.5f * (s[threadIdx.x] + s[threadIdx.x + 1]) : s[threadIdx.x];
}

void pairs(const float* in, float* out, int n) {
  if (n == 0) return;
  pair_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
