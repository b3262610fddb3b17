// unconventional: divergence/3-by-warp
// One launch per kind of index, from a template over the formula.
struct Even {
  __device__ float operator()(float x) const { return 0.5f * x + 0.25f; }
};
struct Odd {
  __device__ float operator()(float x) const { return x * (0.5f - 0.125f * x * x) + 0.25f; }
};
template <class F>
__global__ void k(const float* in, float* out, int n, int parity, F f) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + parity;
  if (i >= n) return;
  float x = in[i];
#pragma unroll
  for (int q = 0; q < 32; ++q) x = f(x);
  out[i] = x;
}
void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  k<<<(n + 511) / 512, 256>>>(in, out, n, 0, Even());
  k<<<(n + 511) / 512, 256>>>(in, out, n, 1, Odd());
}
