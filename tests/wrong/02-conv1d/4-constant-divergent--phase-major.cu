// wrong: conv1d/4-constant-divergent
// mistake: The table is kept [phase][tap]: lanes are 8 words apart then, and eight of them meet in each bank.
// expect: gate_failed gate shared_conflicts == 0

constexpr int kTaps = 8, kPhases = 32;

// in has n + 7 elements, out has n, filter is [tap][phase].
__global__ void filter_phases(const float* in, const float* filter, float* out, int n) {
  __shared__ float weights[kPhases][kTaps];
  int t = threadIdx.x;  // 256 threads, 256 weights
  weights[t % kPhases][t / kPhases] = filter[t];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < kTaps; ++k) sum += weights[i % kPhases][k] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  const int block = kTaps * kPhases;
  filter_phases<<<(n + block - 1) / block, block>>>(in, filter, out, n);
}
