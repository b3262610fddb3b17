// lazy: profiles/7-normalise
// expect: gate default: host_work_on_results <= 1 * reference(self) + 96
// The host finds the largest of the blocks' peaks.
constexpr int threads = 256;
constexpr int blocks = 256;
__managed__ float block_peak[blocks];

__global__ void peak_kernel(const float* in, int n) {
  __shared__ float peaks[threads];
  float peak = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    peak = fmaxf(peak, fabsf(in[i]));
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) block_peak[blockIdx.x] = peaks[0];
}

__global__ void scale_kernel(const float* in, float* out, float peak, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  peak_kernel<<<blocks, threads>>>(in, n);
  cudaDeviceSynchronize();
  float peak = 0;
  for (int b = 0; b < blocks; ++b) peak = fmaxf(peak, block_peak[b]);
  scale_kernel<<<blocks, threads>>>(in, out, peak, n);
}
