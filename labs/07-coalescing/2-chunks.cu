// Copy, `chunk` floats a thread, the way one would share out work among the cores of a CPU.
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n, int chunk) {
  // TODO: every thread walks a stretch of its own, so the lanes are `chunk` floats apart in each turn. Give
  // the block a stretch, and let its threads take neighbours in each turn.
  const int start = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int turn = 0; turn < chunk; ++turn) {
    const int i = start + turn;
    if (i < n) out[i] = in[i];
  }
}

void copy(const float* in, float* out, int n, int chunk) {
  if (n == 0) return;
  const int per_block = threads * chunk;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n, chunk);
}
