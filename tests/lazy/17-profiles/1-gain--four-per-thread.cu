// lazy: profiles/1-gain
// expect: gate global_sectors <= 0.35 * n
// Four samples per thread instead of eight: lanes are still 16 bytes apart.
constexpr int threads = 256;
constexpr int per_thread = 4;

__global__ void gain_kernel(const float* in, float* out, int n) {
  const int first = (blockIdx.x * threads + threadIdx.x) * per_thread;
  for (int k = 0; k < per_thread; ++k)
    if (first + k < n) out[first + k] = 0.5f * in[first + k] + 1.0f;
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = threads * per_thread;
  gain_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
