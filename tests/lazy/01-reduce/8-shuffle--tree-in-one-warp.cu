// lazy: reduce/8-shuffle
// expect: gate shared_store_lane_bytes <= n / 8 + 64
// The tree of step 7 in a block of one warp: few stores, but no shuffle.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  float v = 0;
#pragma unroll
  for (int k = 0; k < 512; k += 32) v += i + k < n ? in[i + k] : 0.0f;
  s[t] = v;
  __syncwarp();
  for (int o = 16; o > 0; o /= 2) {
    if (t < o) s[t] = v += s[t + o];
    __syncwarp();
  }
  if (t == 0) partials[blockIdx.x] = v;
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 32>>>(in, partials, n);
}
