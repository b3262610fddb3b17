// wrong: sync-bugs/2-pairs
// mistake: Not all threads of the block come to one and the same barrier. Let loads and stores depend on i, and nothing else.
// expect: finding barrier_divergence
constexpr int threads = 256;

__global__ void pair_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads + 1];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = in[i];
    if (threadIdx.x == threads - 1 && i + 1 < n) s[threads] = in[i + 1];
    __syncthreads();
  } else {
    __syncthreads();
  }
  if (i < n) out[i] = i + 1 < n ? 0.5f * (s[threadIdx.x] + s[threadIdx.x + 1]) : s[threadIdx.x];
}

void pairs(const float* in, float* out, int n) {
  if (n == 0) return;
  pair_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
