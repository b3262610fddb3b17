// wrong: coalescing/2-chunks
// mistake: In each round the block moves on by blockDim.x floats, not by chunk.
// expect: finding race
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n, int chunk) {
  const int start = blockIdx.x * blockDim.x * chunk;  // the block's stretch
  for (int turn = 0; turn < chunk; ++turn) {
    const int i = start + turn * chunk + threadIdx.x;
    if (i < n) out[i] = in[i];
  }
}

void copy(const float* in, float* out, int n, int chunk) {
  if (n == 0) return;
  const int per_block = threads * chunk;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n, chunk);
}
