// unconventional: conv1d/4-constant
// Two float4 in constant memory serve four outputs.
__constant__ float4 taps[2];
__global__ void k(const float* in, float* out, int n) {
  const float w[7] = {taps[0].x, taps[0].y, taps[0].z, taps[0].w, taps[1].x, taps[1].y, taps[1].z};
  for (int j = 0; j < 4; ++j) {
    const int i = blockIdx.x * 1024 + j * 256 + threadIdx.x;
    if (i < n) {
      float s = 0;
      for (int q = 0; q < 7; ++q) s += w[q] * in[i + q];
      out[i] = s;
    }
  }
}
void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  cudaMemcpyToSymbolAsync(taps, filter, 28, 0, cudaMemcpyDeviceToDevice);
  k<<<(n + 1023) / 1024, 256>>>(in, out, n);
}
