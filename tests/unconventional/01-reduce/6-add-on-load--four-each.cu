// unconventional: reduce/6-add-on-load
// Four elements per thread, 128 threads.
__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int i = blockIdx.x * 512 + j * 128 + t;
    if (i < n) sum += in[i];
  }
  s[t] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) {
  if (n) k<<<(n + 511) / 512, 128>>>(in, partials, n);
}
