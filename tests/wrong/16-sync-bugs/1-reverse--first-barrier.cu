// wrong: sync-bugs/1-reverse
// mistake: The barrier between writing the tile and reading it back is gone: a thread reads a word that another warp has not written yet.
// expect: finding race
constexpr int threads = 256;

__global__ void reverse_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads];
  for (int start = blockIdx.x * threads; start < n; start += gridDim.x * threads) {
    const int length = min(threads, n - start);  // the last tile may be shorter
    if (threadIdx.x < length) s[threadIdx.x] = in[start + threadIdx.x];
    if (threadIdx.x < length) out[start + threadIdx.x] = s[length - 1 - threadIdx.x];
    __syncthreads();  // the next tile overwrites what slower warps still read
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_kernel<<<min(64, (n + threads - 1) / threads), threads>>>(in, out, n);
}
