// lazy: profiles/2-smooth
// expect: gate shared_conflicts <= 0.5 * n
// Two unused words per row: lanes l and l + 16 still meet.
constexpr int threads = 128;
constexpr int length = 32;

__global__ void smooth_kernel(const float* in, float* out, int rows) {
  // Rows of 34 words.
  __shared__ float tile[threads][length + 2];
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
