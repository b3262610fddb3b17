// lazy: profiles/7-normalise
// expect: gate time_us <= 1.6 * reference(self)
// The first launch has 132 blocks, of which one finds the largest magnitude, by wide loads.
constexpr int threads = 1024;
__device__ float found;
__global__ void peak_kernel(const float* in, int n) {
  __shared__ float peaks[threads];
  if (blockIdx.x) return;
  float peak = 0;
  const float4* v = (const float4*)in;
  float4 a[8];
  int i = threadIdx.x;
  for (; i + 7 * threads < n / 4; i += 8 * threads) {
    for (int k = 0; k < 8; ++k) a[k] = v[i + k * threads];
    for (int k = 0; k < 8; ++k)
      peak = fmaxf(peak, fmaxf(fmaxf(fabsf(a[k].x), fabsf(a[k].y)), fmaxf(fabsf(a[k].z), fabsf(a[k].w))));
  }
  for (; i < n / 4; i += threads)
    peak = fmaxf(peak, fmaxf(fmaxf(fabsf(v[i].x), fabsf(v[i].y)), fmaxf(fabsf(v[i].z), fabsf(v[i].w))));
  for (int q = n / 4 * 4 + threadIdx.x; q < n; q += threads) peak = fmaxf(peak, fabsf(in[q]));
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) found = peaks[0];
}
__global__ void scale_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  if (i < n) out[i] = in[i] / found;
}
void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  peak_kernel<<<132, threads>>>(in, n);
  scale_kernel<<<(n + 1023) / 1024, 1024>>>(in, out, n);
}
