// lazy: profiles/7-normalise
// expect: gate blocks >= 132
// Two launches of 16 blocks: 116 SMs are idle.
constexpr int threads = 1024;
constexpr int blocks = 16;
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
    peak = fmaxf(peak, fabsf(in[i]));
  peak = largest(peak);
  if (threadIdx.x == 0) block_peak[blockIdx.x] = peak;
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  const float peak = largest(threadIdx.x < blocks ? block_peak[threadIdx.x] : 0);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  peak_kernel<<<blocks, threads>>>(in, n);
  scale_kernel<<<blocks, threads>>>(in, out, n);
}
