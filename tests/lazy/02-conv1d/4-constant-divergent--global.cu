// lazy: conv1d/4-constant-divergent
// expect: gate 32 * global_load_requests <= 12.5 * n
constexpr int taps = 8;
constexpr int phases = 32;

// in has n + 7 elements, out has n, filter is [tap][phase].
__global__ void filter_phases(const float* in, const float* filter, float* out, int n) {
  int t = threadIdx.x;  // 256 threads, 256 weights
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += filter[k * phases + i % phases] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  const int block = taps * phases;
  filter_phases<<<(n + block - 1) / block, block>>>(in, filter, out, n);
}
