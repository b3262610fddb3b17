// unconventional: coalescing/2-chunks
// The rounds of a thread lie a whole grid apart instead of a block.
constexpr int threads = 128;

__global__ void copy_kernel(const float* in, float* out, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) out[i] = in[i];
}

void copy(const float* in, float* out, int n, int chunk) {
  if (n == 0) return;
  const int per_block = threads * chunk;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
