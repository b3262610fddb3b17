// lazy: profiles/4-tone
// expect: gate instructions <= 12 * n
// Each thread computes all four curves and keeps one.
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
  const float curves[] = {red(v), green(v), blue(v), alpha(v)};
  const int c = i % 4;
  out[i] = c == 0 ? curves[0] : c == 1 ? curves[1] : c == 2 ? curves[2] : curves[3];
}

void tone(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  tone_kernel<<<(4 * pixels + threads - 1) / threads, threads>>>(in, out, pixels);
}
