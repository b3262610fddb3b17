// unconventional: reduce/6-add-on-load
// Two consecutive elements by one load.
__global__ void k(const float* in, float* partials, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x, i = blockIdx.x * 512 + 2 * t;
  float sum = 0;
  if (i + 1 < n) {
    const float2 v = *reinterpret_cast<const float2*>(in + i);
    sum = v.x + v.y;
  } else if (i < n)
    sum = in[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 256, 1024>>>(in, partials, n);
}
