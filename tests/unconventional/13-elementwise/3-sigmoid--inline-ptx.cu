// unconventional: elementwise/3-sigmoid
template <int threads>
__global__ void __launch_bounds__(threads)
    sigmoid_kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float e, y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(in[i] * -1.44269504f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(1.0f + e));
  out[i] = y;
}

void sigmoid(const float* in, float* out, int n) {
  if (n > 0) sigmoid_kernel<512><<<(n + 511) / 512, 512>>>(in, out, n);
}
