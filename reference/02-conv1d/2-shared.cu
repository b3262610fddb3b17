// Three-point average from shared memory: a block of 128 loads its 130 inputs once.
// Bound by starting blocks, as before: L1 answered the repeats. The tile saves work of L1.

constexpr int threads = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  __shared__ float tile[threads + 2];
  int t = threadIdx.x;
  int i = blockIdx.x * threads + t;
  if (i < n + 2) tile[t] = in[i];
  if (t < 2 && i + threads < n + 2) tile[t + threads] = in[i + threads];  // the halo
  __syncthreads();
  if (i < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
