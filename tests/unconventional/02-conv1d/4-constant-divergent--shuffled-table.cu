// unconventional: conv1d/4-constant-divergent
__global__ void filter_phases(const float* __restrict__ in, const float* __restrict__ filter, float* out,
                              int n) {
  const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
            warps = gridDim.x * blockDim.x / 32;
  float w[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) w[k] = filter[k * 32 + lane];
  for (int strip = warp; strip * 32 < n; strip += warps) {
    const int i = strip * 32 + lane;
    float sum = 0;
    if (i < n) {
#pragma unroll
      for (int k = 0; k < 8; ++k) sum += w[k] * in[i + k];
      out[i] = sum;
    }
  }
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n > 0) filter_phases<<<min((n + 255) / 256, 1024), 256>>>(in, filter, out, n);
}
