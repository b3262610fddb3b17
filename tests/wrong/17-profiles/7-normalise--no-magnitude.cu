// wrong: profiles/7-normalise
// mistake: The largest sample is taken instead of the largest magnitude.
// expect: wrong
constexpr int threads = 256;
constexpr int blocks = 256;
__device__ float block_peak[blocks];

// The largest of one number per thread.
__device__ float largest(float peak) {
  __shared__ float peaks[threads];
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  __syncthreads();
  return peaks[0];
}

__global__ void peak_kernel(const float* in, int n) {
  float peak = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    peak = fmaxf(peak, in[i]);
  peak = largest(peak);
  if (threadIdx.x == 0) block_peak[blockIdx.x] = peak;
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  const float peak = largest(block_peak[threadIdx.x]);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  static_assert(blocks == threads, "scale_kernel: one peak per thread");
  peak_kernel<<<blocks, threads>>>(in, n);
  scale_kernel<<<blocks, threads>>>(in, out, n);
}
