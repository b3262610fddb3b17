// wrong: sync-bugs/2-pairs
// mistake: The last thread of a full block reads one element more than its own: that one may be past the end, too.
// expect: finding out_of_bounds
// out[i] = the mean of in[i] and the element after it; the last one stays as it is.
// Bound by starting blocks. All threads reach the barrier; only loads and stores depend on i.
constexpr int threads = 256;

__global__ void pair_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads + 1];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = in[i];
    if (threadIdx.x == threads - 1) s[threads] = in[i + 1];
  }
  __syncthreads();
  if (i < n) out[i] = i + 1 < n ? 0.5f * (s[threadIdx.x] + s[threadIdx.x + 1]) : s[threadIdx.x];
}

void pairs(const float* in, float* out, int n) {
  if (n == 0) return;
  pair_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
