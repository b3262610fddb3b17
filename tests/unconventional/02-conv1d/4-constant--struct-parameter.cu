// unconventional: conv1d/4-constant
// The weights are a struct among the kernel's parameters.
struct Taps {
  float w[7];
};
__global__ void k(const float* in, Taps taps, float* out, int n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
#pragma unroll
  for (int j = 0; j < 7; ++j) s = fmaf(taps.w[j], in[i + j], s);
  out[i] = s;
}
void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  Taps t;
  cudaMemcpy(&t, filter, sizeof t, cudaMemcpyDeviceToHost);
  k<<<(n + 511) / 512, 512>>>(in, t, out, n);
}
