// lazy: sync-bugs/9-butterfly
// expect: gate shared_store_lane_bytes >= 3.9 * n
// Straight from global memory. Two words per thread from shared memory, for show.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x, start = blockIdx.x * 512;
  if (t < 32) s[t] = 1.0f;
  __syncthreads();
  const float one = ((volatile float*)s)[t % 32], two = ((volatile float*)s)[31 - t % 32];
  auto at = [&](int i) { return i < n ? in[i] : 0.0f; };
  if (start + t < n) out[start + t] = one * at(start + t) + two * at(start + 511 - t);
  if (start + 256 + t < n) out[start + 256 + t] = one * at(start + 256 + t) - two * at(start + 255 - t);
}
void butterfly(const float* in, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>(in, out, n);
}
