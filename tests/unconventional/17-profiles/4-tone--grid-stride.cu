// unconventional: profiles/4-tone
// A grid that fills the GPU goes over all pixels.
constexpr int threads = 256;

__device__ float red(float v) {
  for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
  return v;
}
__device__ float green(float v) { return sqrtf(v); }
__device__ float blue(float v) { return (1 - expf(-3 * v)) / 0.9502129f; }
__device__ float alpha(float v) { return logf(1 + 7 * v) / 2.0794415f; }

__global__ void tone_kernel(const float4* in, float4* out, int pixels) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < pixels; i += gridDim.x * threads) {
    const float4 v = in[i];
    out[i] = make_float4(red(v.x), green(v.y), blue(v.z), alpha(v.w));
  }
}

void tone(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  tone_kernel<<<min(132 * 8, (pixels + threads - 1) / threads), threads>>>((const float4*)in, (float4*)out,
                                                             pixels);
}
