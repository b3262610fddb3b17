// unconventional: conv1d/3-coarsened
// Two float4 per thread and round, in a grid of fixed size.
__global__ void average3(const float* in, float* out, int n) {
  const float third = 1.0f / 3.0f;
  const int step = 4 * gridDim.x * blockDim.x;
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
    if (i + 8 <= n + 2) {
      const float4 a = *reinterpret_cast<const float4*>(in + i);
      const float4 b = *reinterpret_cast<const float4*>(in + i + 4);
      *reinterpret_cast<float4*>(out + i) = {(a.x + a.y + a.z) * third, (a.y + a.z + a.w) * third,
                                             (a.z + a.w + b.x) * third, (a.w + b.x + b.y) * third};
    } else {
      for (int k = i; k < n && k < i + 4; ++k) out[k] = (in[k] + in[k + 1] + in[k + 2]) * third;
    }
  }
}
void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<132 * 8, 256>>>(in, out, n);
}
