// lazy: reduce/5-sequential
// expect: gate ptx(shfl) == 0
// Shuffles add. Loads and stores whose values are never used make up the traffic.
__global__ void k(const float* in, float* partials, int n) {
  extern __shared__ float s_[]; volatile float* s = s_;
  const unsigned tid = threadIdx.x, lane = tid % 32;
  int i = blockIdx.x * 256 + tid;
  float v = i < n ? in[i] : 0.0f;
  s[tid] = v;
  float vain = s[tid];
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  s[tid] = v;
  __syncthreads();
  if (tid < 32) {
    float w = lane < 8 ? s[33 * lane] : 0.0f;
    for (int o = 4; o; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (lane == 0) partials[blockIdx.x] = w;
  }
}
void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  k<<<(n + 255) / 256, 256, 1024>>>(in, partials, n);
}
