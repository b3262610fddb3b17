// wrong: coalescing/1-two-each
// mistake: One float a thread is coalesced as well, but the step keeps two: half the threads, each with two loads a block apart.
// expect: gate_failed gate threads <= n / 2 + 512
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  copy_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
