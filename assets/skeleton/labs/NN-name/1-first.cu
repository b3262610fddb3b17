// out[i] = 2 * in[i].
constexpr int threads = 256, each = 8;

__global__ void twice_kernel(const float* in, float* out, int n) {
  // TODO: let consecutive threads load consecutive floats.
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; ++i) out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  const int per_block = threads * each;
  twice_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
