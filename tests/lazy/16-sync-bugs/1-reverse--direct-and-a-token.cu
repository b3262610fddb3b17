// lazy: sync-bugs/1-reverse
// expect: gate shared_store_lane_bytes >= 3.9 * n
// Straight from global memory. One word per thread from shared memory, for show.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[32];
  for (int start = blockIdx.x * 256; start < n; start += gridDim.x * 256) {
    const int length = min(256, n - start), t = threadIdx.x;
    if (t < 32) s[t] = 1.0f;
    __syncthreads();
    const float one = ((volatile float*)s)[t % 32];
    __syncthreads();
    if (t < length) out[start + t] = one * in[start + length - 1 - t];
  }
}
void reverse(const float* in, float* out, int n) {
  if (n) k<<<min(64, (n + 255) / 256), 256>>>(in, out, n);
}
