// unconventional: divergence/3-by-warp
// The parity is that of the block.
template <int parity>
__device__ float round_of(float x) {
  if constexpr (parity == 0) return fmaf(0.5f, x, 0.25f);
  return fmaf(x, fmaf(-0.125f * x, x, 0.5f), 0.25f);
}

template <int parity>
__device__ void all_rounds(const float* in, float* out, int n) {
  const int i = 2 * (blockIdx.x / 2 * blockDim.x + threadIdx.x) + parity;
  if (i >= n) return;
  float x = in[i];
#pragma unroll
  for (int k = 0; k < 32; ++k) x = round_of<parity>(x);
  out[i] = x;
}

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  if (blockIdx.x % 2)
    all_rounds<1>(in, out, n);
  else
    all_rounds<0>(in, out, n);
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<2 * ((n + 255) / 256), 128>>>(in, out, n);
}
