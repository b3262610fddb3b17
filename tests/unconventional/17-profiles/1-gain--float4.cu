// unconventional: profiles/1-gain
// Four consecutive samples of each thread, in one load.
constexpr int threads = 256;

__global__ void gain_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (4 * i + 3 < n) {
    const float4 v = ((const float4*)in)[i];
    ((float4*)out)[i] = make_float4(0.5f * v.x + 1, 0.5f * v.y + 1, 0.5f * v.z + 1, 0.5f * v.w + 1);
  } else {
    for (int k = 4 * i; k < n; ++k) out[k] = 0.5f * in[k] + 1;
  }
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  const int quads = (n + 3) / 4;
  gain_kernel<<<(quads + threads - 1) / threads, threads>>>(in, out, n);
}
