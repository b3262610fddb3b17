// lazy: reduce/8-shuffle
// expect: gate ptx(shfl) >= 4.5 * warps
// Each lane adds its sum to one of 16 words of shared memory, by an atomic.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[16];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * 512 + tid;
  float v = i < n ? in[i] : 0.0f;
  if (i + 256 < n) v += in[i + 256];
  if (tid < 16) s[tid] = 0.0f;
  __syncthreads();
  atomicAdd(&s[tid % 16], v);
  __syncthreads();
  if (tid < 32) {
    float w = tid < 16 ? s[tid] : 0.0f;
    for (int o = 16; o; o /= 2) w += __shfl_xor_sync(~0u, w, o);
    if (tid == 0) partials[blockIdx.x] = w;
  }
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>(in, partials, n);
}
