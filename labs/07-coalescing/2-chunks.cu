// Copy, `chunk` floats per thread, as one shares out work among the cores of a CPU.
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n, int chunk) {
  // TODO: let the threads of a block take consecutive floats in each round.
  const int start = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int round = 0; round < chunk; ++round) {
    const int i = start + round;
    if (i < n) out[i] = in[i];
  }
}

void copy(const float* in, float* out, int n, int chunk) {
  if (n == 0) return;
  const int per_block = threads * chunk;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n, chunk);
}
