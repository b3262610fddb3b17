// unconventional: profiles/2-smooth
// A warp per row: y = a m + b is an affine map; lanes compose maps by shuffles.
__global__ void smooth_kernel(const float* in, float* out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float v = in[row * 32 + lane];
  float a = lane ? 0.75f : 0.0f, b = lane ? 0.25f * v : v;
  for (int o = 1; o < 32; o *= 2) {
    const float pa = __shfl_up_sync(~0u, a, o), pb = __shfl_up_sync(~0u, b, o);
    if (lane >= o) {
      b += a * pb;
      a *= pa;
    }
  }
  out[row * 32 + lane] = b;
}
void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  smooth_kernel<<<(rows + 7) / 8, 256>>>(in, out, rows);
}
