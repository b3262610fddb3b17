// unconventional: conv1d/5-wide
// Four outputs per thread, from the tile by float4.
constexpr int threads = 128, outputs = 4 * threads, max_radius = 32;
__constant__ float weights[1 + 2 * max_radius + 3];
__global__ void k(const float* in, float* out, int n, int r) {
  __shared__ alignas(16) float tile[outputs + 2 * max_radius + 8];
  const int first = blockIdx.x * outputs, inputs = min(outputs, n - first) + 2 * r;
  for (int t = threadIdx.x; t < outputs + 2 * max_radius + 8; t += threads)
    tile[t] = t < inputs ? in[first + t] : 0;
  __syncthreads();
  float4 a = reinterpret_cast<const float4*>(tile)[threadIdx.x], s = {0, 0, 0, 0};
  for (int q = 0; q <= 2 * r; q += 4) {
    const float4 b = reinterpret_cast<const float4*>(tile)[threadIdx.x + q / 4 + 1];
    const float x[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float w = q + j <= 2 * r ? weights[q + j] : 0;
      s.x += w * x[j];
      s.y += w * x[j + 1];
      s.z += w * x[j + 2];
      s.w += w * x[j + 3];
    }
    a = b;
  }
  const int i = first + 4 * threadIdx.x;
  const float y[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (i + j < n) out[i + j] = y[j];
}
void conv1d(const float* in, const float* filter, float* out, int n, int r) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, filter, (1 + 2 * r) * 4, 0, cudaMemcpyDeviceToDevice);
  k<<<(n + outputs - 1) / outputs, threads>>>(in, out, n, r);
}
