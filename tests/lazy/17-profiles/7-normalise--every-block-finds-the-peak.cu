// lazy: profiles/7-normalise
// expect: gate time_us <= 1.6 * reference(self)
// One launch of many blocks, each of which goes over all samples to find the peak.
constexpr int threads = 1024;

__global__ void normalise_kernel(const float* in, float* out, int n) {
  __shared__ float peaks[threads];
  float peak = 0;
  for (int i = threadIdx.x; i < n; i += threads) peak = fmaxf(peak, fabsf(in[i]));
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) out[i] = in[i] / peaks[0];
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  normalise_kernel<<<132, threads>>>(in, out, n);
}
