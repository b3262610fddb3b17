// out = 1 / (1 + exp(-in)), four floats per thread.
constexpr int threads = 256;

__device__ float sigmoid_of(float x) {
  return __fdividef(1.0f, 1.0f + __expf(-x));  // exp(-x) may be infinite: 1 / infinity is 0
}

__global__ void sigmoid_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  // TODO: one load and one store of 16 bytes, where all four floats exist.
  for (int i = first; i < n && i < first + 4; ++i) out[i] = sigmoid_of(in[i]);
}

void sigmoid(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  sigmoid_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
