// A filter whose weights depend on the place: output i uses column i % 32 of an 8 x 32 table (a resampler has
// one set of weights a phase, just so). Every lane wants another word. Constant memory would answer one word
// at a time, 32 turns a load; shared memory has 32 banks and answers all of them in one. Bound by load
// requests for the inputs.

constexpr int kTaps = 8, kPhases = 32;

// in has n + 7 elements, out has n, filter is [tap][phase].
__global__ void filter_phases(const float* in, const float* filter, float* out, int n) {
  __shared__ float weights[kTaps][kPhases];
  int t = threadIdx.x;  // 256 threads, 256 weights
  weights[t / kPhases][t % kPhases] = filter[t];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < kTaps; ++k) sum += weights[k][i % kPhases] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  const int block = kTaps * kPhases;
  filter_phases<<<(n + block - 1) / block, block>>>(in, filter, out, n);
}
