// unconventional: occupancy/2-shared
// Dynamic shared memory, 128 threads per block, 512 outputs per tile.
constexpr int threads = 128;
constexpr int outputs = 512;

__global__ void smooth_kernel(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int first = blockIdx.x * outputs - 1;
  for (int t = threadIdx.x; t < outputs + 2; t += threads) {
    const int i = first + t;
    tile[t] = (i >= 0 && i < n) ? in[i] : 0.0f;
  }
  __syncthreads();
  for (int t = threadIdx.x; t < outputs; t += threads) {
    const int i = first + 1 + t;
    if (i < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
  }
}

void smooth(const float* in, float* out, int n) {
  if (n == 0) return;
  const int bytes = (outputs + 2) * sizeof(float);
  smooth_kernel<<<(n + outputs - 1) / outputs, threads, bytes>>>(in, out, n);
}
