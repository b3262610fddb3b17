// lazy: divergence/2-select
// expect: gate divergent_branches == 0
// Two rounds at once for the odd ones: half of the lanes leave the loop early.
__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const bool even = i % 2 == 0;
  const float a = even ? 0.5f : 0.0625f, b = even ? 0.25f : 0.625f;
#pragma unroll 1
  for (int k = 0; k < (even ? 32 : 16); ++k) x = a * x + b;
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
