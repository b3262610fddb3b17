// unconventional: profiles/4-tone
// A block has 64 pixels, and its warps one channel each, through shared memory.
constexpr int threads = 256;

__device__ float red(float v) {
  for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
  return v;
}
__device__ float green(float v) { return sqrtf(v); }
__device__ float blue(float v) { return (1 - expf(-3 * v)) / 0.9502129f; }
__device__ float alpha(float v) { return logf(1 + 7 * v) / 2.0794415f; }

__global__ void tone_kernel(const float* in, float* out, int pixels) {
  __shared__ float tile[threads + threads / 32];
  const int i = blockIdx.x * threads + threadIdx.x;
  const int here = threadIdx.x + threadIdx.x / 32;
  tile[here] = i < 4 * pixels ? in[i] : 0.5f;
  __syncthreads();
  // Warps 0 and 1 take red, 2 and 3 green, and so on.
  const int channel = threadIdx.x / 64;
  const int value = 4 * (threadIdx.x % 64) + channel;
  float& v = tile[value + value / 32];
  switch (channel) {
    case 0: v = red(v); break;
    case 1: v = green(v); break;
    case 2: v = blue(v); break;
    case 3: v = alpha(v); break;
  }
  __syncthreads();
  if (i < 4 * pixels) out[i] = tile[here];
}

void tone(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  tone_kernel<<<(4 * pixels + threads - 1) / threads, threads>>>(in, out, pixels);
}
