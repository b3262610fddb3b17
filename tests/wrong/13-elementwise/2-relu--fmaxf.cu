// wrong: elementwise/2-relu
// mistake: fmaxf(x, 0) returns the other operand when one is NaN: 0. That hides an error upstream; x < 0 ? 0 : x keeps it.
// expect: wrong
constexpr int threads = 256;

__global__ void relu_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = fmaxf(x, 0.0f);  // NaN < 0 is false, so NaN goes through; fmaxf(x, 0) would make it 0
}

void relu(const float* in, float* out, int n) {
  if (n == 0) return;
  relu_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
