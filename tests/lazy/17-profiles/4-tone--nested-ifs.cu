// lazy: profiles/4-tone
// expect: gate lanes_per_instruction >= 28
// Branches in place of the switch.
constexpr int threads = 256;

__device__ float red(float v) {
  for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
  return v;
}
__device__ float green(float v) { return sqrtf(v); }
__device__ float blue(float v) { return (1 - expf(-3 * v)) / 0.9502129f; }
__device__ float alpha(float v) { return logf(1 + 7 * v) / 2.0794415f; }

__global__ void tone_kernel(const float* in, float* out, int pixels) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= 4 * pixels) return;
  const float v = in[i];
  if (i % 4 < 2)
    out[i] = i % 4 == 0 ? red(v) : green(v);
  else
    out[i] = i % 4 == 2 ? blue(v) : alpha(v);
}

void tone(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  tone_kernel<<<(4 * pixels + threads - 1) / threads, threads>>>(in, out, pixels);
}
