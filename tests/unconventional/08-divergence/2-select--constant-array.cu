// unconventional: divergence/2-select
// The two pairs of numbers come from constant memory, and the loop is unrolled by 8 only.
__constant__ float2 ab[2] = {{0.5f, 0.25f}, {0.25f, 0.5f}};
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const float2 c = ab[i & 1];
#pragma unroll 8
  for (int k = 0; k < 32; ++k) x = c.x * x + c.y;
  out[i] = x;
}
void odd_even(const float* in, float* out, int n) {
  if (n) k<<<(n + 127) / 128, 128>>>(in, out, n);
}
