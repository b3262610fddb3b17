// unconventional: sync-bugs/1-reverse
// Two shared arrays that alternate: a warp can be at most one round ahead, so one barrier per tile is
// enough.
constexpr int threads = 256;

__global__ void reverse_kernel(const float* in, float* out, int n) {
  __shared__ float s[2][threads];
  int which = 0;
  for (int start = blockIdx.x * threads; start < n; start += gridDim.x * threads) {
    const int length = min(threads, n - start);  // the last tile may be shorter
    if (threadIdx.x < length) s[which][threadIdx.x] = in[start + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < length) out[start + threadIdx.x] = s[which][length - 1 - threadIdx.x];
    which = 1 - which;
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_kernel<<<min(64, (n + threads - 1) / threads), threads>>>(in, out, n);
}
