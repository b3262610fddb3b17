// wrong: elementwise/3-sigmoid
// mistake: exp(x) / (1 + exp(x)) is infinity / infinity = NaN for a large x. 1 / (1 + exp(-x)) is right at both ends.
// expect: wrong
constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return __fdividef(__expf(x), 1.0f + __expf(x));  // exp(-x) may be infinite: 1 / infinity is 0, as it should be
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
