// unconventional: privatisation/6-register-sum
// Four outputs per thread.
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  float s[4] = {};
#pragma unroll
  for (int q = 0; q < 16; ++q)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (i + 256 * j < n) s[j] += in[i + 256 * j + q];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (i + 256 * j < n) out[i + 256 * j] = s[j];
}
void window_sum(const float* in, float* out, int n) {
  if (n) k<<<(n + 1023) / 1024, 256>>>(in, out, n);
}
