// lazy: @name@/1-first
// expect: gate global_load_sectors <= n / 8 + 8
// Chunks of two instead of eight: fewer sectors per request, and still twice as many as needed.
constexpr int threads = 256, each = 2;

__global__ void twice_kernel(const float* in, float* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; ++i) out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  const int per_block = threads * each;
  twice_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
