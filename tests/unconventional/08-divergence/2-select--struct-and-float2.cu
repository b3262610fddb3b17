// unconventional: divergence/2-select
struct Line {
  float a, b;
  __device__ float operator()(float x) const { return fmaf(a, x, b); }
};

// A thread has an even place and an odd one: no choice is left.
__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const Line even{0.5f, 0.25f}, odd{0.25f, 0.5f};
  float x = in[i], y = i + 1 < n ? in[i + 1] : 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) x = even(x), y = odd(y);
  out[i] = x;
  if (i + 1 < n) out[i + 1] = y;
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 511) / 512, 256>>>(in, out, n);
}
