// unconventional: conv1d/2-shared
// A tile of 512 outputs, copied by float4.
constexpr int threads = 128, outputs = 512;
__global__ void k(const float* in, float* out, int n) {
  __shared__ alignas(16) float tile[outputs + 4];
  const int first = blockIdx.x * outputs, t = threadIdx.x;
  if (first + outputs + 2 <= n + 2) {
    reinterpret_cast<float4*>(tile)[t] = reinterpret_cast<const float4*>(in + first)[t];
    if (t < 2) tile[outputs + t] = in[first + outputs + t];
  } else
    for (int j = t; j < outputs + 2; j += threads)
      if (first + j < n + 2) tile[j] = in[first + j];
  __syncthreads();
  for (int j = 0; j < 4; ++j) {
    const int o = t + j * threads;
    if (first + o < n) out[first + o] = (tile[o] + tile[o + 1] + tile[o + 2]) * (1.0f / 3.0f);
  }
}
void conv1d(const float* in, float* out, int n) {
  if (n) k<<<(n + outputs - 1) / outputs, threads>>>(in, out, n);
}
