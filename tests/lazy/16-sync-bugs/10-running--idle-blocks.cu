// lazy: sync-bugs/10-running
// expect: gate tail_idle <= 0.85
// Block 0 goes through all segments. The other blocks return at once, so none waits for another.
constexpr int threads = 1024;

__global__ void running_kernel(const float* in, float* sums, int n) {
  if (blockIdx.x > 0) return;
  __shared__ float s[threads];  // one segment per warp, 32 at a time
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float before = 0.0f;
  for (int first = 0; first < n; first += 32 * 256) {
    float value = 0.0f;
    for (int k = 0; k < 8; ++k) {
      const int i = first + warp * 256 + k * 32 + lane;
      if (i < n) value += in[i];
    }
    for (int offset = 16; offset > 0; offset /= 2)
      value += __shfl_xor_sync(0xffffffff, value, offset);
    if (lane == 0) s[warp] = value;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int w = 0; w < 32 && first + 256 * w < n; ++w) {
        before += s[w];
        sums[first / 256 + w] = before;
      }
    __syncthreads();
  }
}

void running(const float* in, float* sums, int n) {
  if (n > 0) running_kernel<<<(n + 255) / 256, threads>>>(in, sums, n);
}
