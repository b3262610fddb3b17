// unconventional: elementwise/3-sigmoid
// exp(-x) as a power of two: the hardware's exponential is 2^x anyway.
constexpr int threads = 128;

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float power = exp2f(-1.44269504f * in[i]);
  out[i] = __fdividef(1.0f, power + 1.0f);
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  sigmoid_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
