// unconventional: conv1d/4-constant-divergent
// A lane's phase never changes, so its eight weights stay in registers.
__global__ void k(const float* in, const float* filter, float* out, int n) {
  float w[8];
#pragma unroll
  for (int t = 0; t < 8; ++t) w[t] = filter[32 * t + threadIdx.x % 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float s = 0;
#pragma unroll
    for (int t = 0; t < 8; ++t) s += w[t] * in[i + t];
    out[i] = s;
  }
}
void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n) k<<<1056, 256>>>(in, filter, out, n);
}
