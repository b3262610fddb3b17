// Copy, two floats a thread: the lanes of a warp load and store neighbours.
// Bound by DRAM bandwidth: every sector that is asked for is used, in one request.
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  if (i < n) out[i] = in[i];
  const int j = i + blockDim.x;  // a whole block further on, not next door
  if (j < n) out[j] = in[j];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
