// wrong: coalescing/1-two-each
// mistake: The second float is blockDim.x further on, but the blocks still start blockDim.x apart: neighbours do each other's work, and the end is left out. A block starts at blockIdx.x * 2 * blockDim.x.
// expect: wrong
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
  const int j = i + blockDim.x;  // a whole block further on, not next door
  if (j < n) out[j] = in[j];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
