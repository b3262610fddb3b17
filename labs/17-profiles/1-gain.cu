// out = 0.5 in + 1 for n samples. Each thread has eight of them.
constexpr int threads = 256;
constexpr int per_thread = 8;

__global__ void gain_kernel(const float* in, float* out, int n) {
  // TODO: read the profile, and remove what limits this kernel.
  const int first = (blockIdx.x * threads + threadIdx.x) * per_thread;
  for (int k = 0; k < per_thread; ++k)
    if (first + k < n) out[first + k] = 0.5f * in[first + k] + 1.0f;
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = threads * per_thread;
  gain_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
