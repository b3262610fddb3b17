// wrong: elementwise/2-relu
// mistake: x > 0 is false for NaN, so NaN became 0 and an error upstream goes unseen. Ask x < 0 instead.
// expect: wrong
constexpr int threads = 256;

__global__ void relu_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = x > 0.0f ? x : 0.0f;  // NaN < 0 is false, so NaN goes through; fmaxf(x, 0) would make it 0
}

void relu(const float* in, float* out, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
