// A filter whose weights depend on the place: output i uses column i % 32 of an 8 x 32 table. Bound
// by starting blocks. Each lane reads a different weight: constant memory would deliver one word at
// a time. Shared memory delivers all of them in one wavefront.

constexpr int taps = 8;
constexpr int phases = 32;

// in has n + 7 elements, out has n, filter is [tap][phase].
__global__ void filter_phases(const float* in, const float* filter, float* out, int n) {
  __shared__ float weights[taps][phases];
  int t = threadIdx.x;  // 256 threads, 256 weights
  weights[t / phases][t % phases] = filter[t];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += weights[k][i % phases] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  const int block = taps * phases;
  filter_phases<<<(n + block - 1) / block, block>>>(in, filter, out, n);
}
