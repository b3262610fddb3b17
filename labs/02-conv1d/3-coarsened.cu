// Three-point average from shared memory. Each input is read three times from there.

constexpr int threads = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  // TODO: compute outputs 4 i to 4 i + 3 per thread, from inputs in registers, with vector loads
  // and stores. The last one to three outputs go one by one. Adapt the grid.
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
