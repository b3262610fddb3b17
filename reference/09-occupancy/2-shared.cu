// The mean of three consecutive elements, from a tile in shared memory.
// Bound by DRAM bandwidth: 8 bytes per element.
constexpr int threads = 256;
constexpr int outputs = 1024;  // a tile of 4 KiB: warps are the limit, not shared memory

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
