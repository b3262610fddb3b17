// lazy: elementwise/2-relu
// expect: gate time_us <= 1.6 * reference(self)
// Forty blocks that loop: 92 of 132 SMs are idle.
constexpr int threads = 256;

__global__ void relu_kernel(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = in[i];
    out[i] = (x < 0.0f) ? 0.0f : x;
  }
}

void relu(const float* in, float* out, int n) {
  if (n == 0) return;
  relu_kernel<<<40, threads>>>(in, out, n);
}
