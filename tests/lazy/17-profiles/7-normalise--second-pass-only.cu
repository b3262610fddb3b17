// lazy: profiles/7-normalise
// expect: gate time_us <= 1.6 * reference(self)
// Many blocks divide, but one still finds the peak.
constexpr int threads = 1024;
__device__ float the_peak;

__global__ void peak_kernel(const float* in, int n) {
  __shared__ float peaks[threads];
  float peak = 0;
  for (int i = threadIdx.x; i < n; i += threads) peak = fmaxf(peak, fabsf(in[i]));
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) the_peak = peaks[0];
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) out[i] = in[i] / the_peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  peak_kernel<<<1, threads>>>(in, n);
  scale_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
