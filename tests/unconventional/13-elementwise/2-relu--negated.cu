// unconventional: elementwise/2-relu
// The comparison the other way round: !(x < 0) keeps x, NaN included; in a grid-stride loop.
constexpr int threads = 128;

__global__ void relu_kernel(const float* in, float* out, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const float x = in[i];
    out[i] = !(x < 0.0f) ? x : 0.0f;
  }
}

void relu(const float* in, float* out, int n) {
  if (n == 0) return;
  relu_kernel<<<min(2112, (n + threads - 1) / threads), threads>>>(in, out, n);
}
