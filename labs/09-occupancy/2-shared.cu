// The mean of three consecutive elements, from a tile in shared memory.
constexpr int threads = 256;
constexpr int outputs = 12032;  // TODO: how much of the SM's shared memory does the tile take?

__global__ void smooth_kernel(const float* in, float* out, int n) {
  __shared__ float tile[outputs + 2];
  const int first = blockIdx.x * outputs - 1;  // the tile's first input
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
  smooth_kernel<<<(n + outputs - 1) / outputs, threads>>>(in, out, n);
}
