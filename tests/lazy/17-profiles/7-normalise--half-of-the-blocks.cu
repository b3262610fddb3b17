// lazy: profiles/7-normalise
// expect: gate tail_idle <= 0.35
// Both launches have 132 blocks, of which half do all the work: 66 SMs are idle.
constexpr int threads = 1024;
constexpr int blocks = 132;
constexpr int working = 66;
__device__ float block_peak[working];

__device__ float largest(float peak) {
  __shared__ float peaks[threads];
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  __syncthreads();
  return peaks[0];
}

__global__ void peak_kernel(const float* in, int n) {
  if (blockIdx.x >= working) return;
  float peak = 0;
#pragma unroll 8
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += working * threads)
    peak = fmaxf(peak, fabsf(in[i]));
  peak = largest(peak);
  if (threadIdx.x == 0) block_peak[blockIdx.x] = peak;
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  if (blockIdx.x >= working) return;
  const float peak = largest(threadIdx.x < working ? block_peak[threadIdx.x] : 0.0f);
#pragma unroll 8
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += working * threads) out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  peak_kernel<<<blocks, threads>>>(in, n);
  scale_kernel<<<blocks, threads>>>(in, out, n);
}
