// lazy: conv1d/4-constant-divergent
// expect: gate time_us <= 1.5 * reference(self)
// The table stays in constant memory.
constexpr int taps = 8, phases = 32;
__constant__ float weights[taps][phases];

__global__ void filter_phases(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += weights[k][i % phases] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, filter, sizeof weights, 0, cudaMemcpyDeviceToDevice);
  filter_phases<<<(n + 255) / 256, 256>>>(in, out, n);
}
