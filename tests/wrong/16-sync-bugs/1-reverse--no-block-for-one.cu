// wrong: sync-bugs/1-reverse
// mistake: With fewer elements than a block has threads, the grid is rounded down to no block at all.
// expect: finding launch_error
// Reverses each tile of 256 floats: out[first] = in[last], and so on. A block takes every
// gridDim.x-th tile.
// Bound by latency. Two barriers per tile: one before other threads' words are read, one
// before they are overwritten.
constexpr int threads = 256;

__global__ void reverse_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads];
  for (int start = blockIdx.x * threads; start < n; start += gridDim.x * threads) {
    const int length = min(threads, n - start);  // the last tile may be shorter
    if (threadIdx.x < length) s[threadIdx.x] = in[start + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < length) out[start + threadIdx.x] = s[length - 1 - threadIdx.x];
    __syncthreads();  // slower warps may still read what the next tile overwrites
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_kernel<<<min(64, n / threads), threads>>>(in, out, n);
}
