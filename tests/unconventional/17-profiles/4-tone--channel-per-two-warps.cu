// unconventional: profiles/4-tone
// Threads are numbered so that the lanes of a warp have one channel, of pixels one after the other.
constexpr int threads = 256;

__device__ float red(float v) {
  for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
  return v;
}
__device__ float green(float v) { return sqrtf(v); }
__device__ float blue(float v) { return (1 - expf(-3 * v)) / 0.9502129f; }
__device__ float alpha(float v) { return logf(1 + 7 * v) / 2.0794415f; }

__global__ void tone_kernel(const float* in, float* out, int pixels) {
  // TODO: read the profile, and remove what limits this kernel.
  const int i = blockIdx.x * threads + threadIdx.x % 64 * 4 + threadIdx.x / 64;
  if (i >= 4 * pixels) return;
  float v = in[i];
  switch (i % 4) {
    case 0:
      v = red(v);
      break;
    case 1:
      v = green(v);
      break;
    case 2:
      v = blue(v);
      break;
    case 3:
      v = alpha(v);
      break;
  }
  out[i] = v;
}

void tone(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  tone_kernel<<<(4 * pixels + threads - 1) / threads, threads>>>(in, out, pixels);
}
