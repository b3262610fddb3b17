// unconventional: profiles/2-smooth
// Column k of row r is at k ^ (r % 32): no unused words.
constexpr int threads = 128;
constexpr int length = 32;

__global__ void smooth_kernel(const float* in, float* out, int rows) {
  __shared__ float tile[threads][length];
  const int first = blockIdx.x * threads;
  const int here = min(threads, rows - first);
  for (int i = threadIdx.x; i < here * length; i += threads)
    tile[i / length][(i % length) ^ (i / length % 32)] = in[first * length + i];
  __syncthreads();
  if (threadIdx.x < here) {
    float mean = tile[threadIdx.x][threadIdx.x % 32];
    for (int k = 0; k < length; ++k) {
      mean += 0.25f * (tile[threadIdx.x][k ^ (threadIdx.x % 32)] - mean);
      tile[threadIdx.x][k ^ (threadIdx.x % 32)] = mean;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < here * length; i += threads)
    out[first * length + i] = tile[i / length][(i % length) ^ (i / length % 32)];
}

void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  smooth_kernel<<<(rows + threads - 1) / threads, threads>>>(in, out, rows);
}
