// Rows of 32 samples, each smoothed from left to right. A block copies its rows to shared memory
// with consecutive lanes on consecutive samples; then each thread works through a row.
// Bound by DRAM bandwidth.
constexpr int threads = 128;
constexpr int length = 32;

__global__ void smooth_kernel(const float* in, float* out, int rows) {
  // One unused word per row: lane l of a warp finds its sample in bank (33 l + k) % 32.
  __shared__ float tile[threads][length + 1];
  const int first = blockIdx.x * threads;
  const int here = min(threads, rows - first);
  for (int i = threadIdx.x; i < here * length; i += threads)
    tile[i / length][i % length] = in[first * length + i];
  __syncthreads();
  if (threadIdx.x < here) {
    float mean = tile[threadIdx.x][0];
    for (int k = 0; k < length; ++k) {
      mean += 0.25f * (tile[threadIdx.x][k] - mean);
      tile[threadIdx.x][k] = mean;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < here * length; i += threads)
    out[first * length + i] = tile[i / length][i % length];
}

void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  smooth_kernel<<<(rows + threads - 1) / threads, threads>>>(in, out, rows);
}
