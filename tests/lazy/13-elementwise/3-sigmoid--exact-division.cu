// lazy: elementwise/3-sigmoid
// expect: gate instructions <= 1.3 * reference(self)
// The library's exponential and the exact division: right, in several times the instructions.
constexpr int threads = 256;

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-in[i]));
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
