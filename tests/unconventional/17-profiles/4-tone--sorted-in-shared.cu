// unconventional: profiles/4-tone
// Values are sorted by curve in shared memory; two warps at a time compute one curve.
__device__ float red(float v) {
  for (int k = 0; k < 6; ++k) v = v * v * (3 - 2 * v);
  return v;
}
__global__ void k(const float* in, float* out, int total) {
  __shared__ float s[4][260];
  const int first = blockIdx.x * 1024, t = threadIdx.x;
  for (int j = t; j < 1024 && first + j < total; j += 1024 / 4) s[j % 4][j / 4] = in[first + j];
  __syncthreads();
  const int c = t / 64;
  for (int j = t % 64; j < 256 && first + 4 * j < total; j += 64) {
    float v = s[c][j];
    switch (c) {
      case 0:
        v = red(v);
        break;
      case 1:
        v = sqrtf(v);
        break;
      case 2:
        v = (1 - expf(-3 * v)) / 0.9502129f;
        break;
      default:
        v = logf(1 + 7 * v) / 2.0794415f;
    }
    s[c][j] = v;
  }
  __syncthreads();
  for (int j = t; j < 1024 && first + j < total; j += 256) out[first + j] = s[j % 4][j / 4];
}
void tone(const float* in, float* out, int pixels) {
  if (pixels) k<<<(pixels + 255) / 256, 256>>>(in, out, 4 * pixels);
}
