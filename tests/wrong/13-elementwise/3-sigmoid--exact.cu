// wrong: elementwise/3-sigmoid
// mistake: expf and the exact division are right to the last digit, in some forty instructions. The tolerance leaves room for the fast ones.
// expect: gate_failed gate instructions <= 1.3 * reference(self)
constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return 1.0f / (1.0f + expf(-x));  // exp(-x) may be infinite: 1 / infinity is 0, as it should be
}

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = sigmoid_of(in[i]);
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
