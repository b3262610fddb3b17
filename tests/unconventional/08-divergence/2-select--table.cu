// unconventional: divergence/2-select
// Both pairs of numbers in a table, and a fixed grid.
__constant__ float2 ab[2] = {{0.5f, 0.25f}, {0.25f, 0.5f}};
__global__ void k(const float* in, float* out, int n) {
  __shared__ float2 s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = ab[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 c = s[i & 1];
    float x = in[i];
#pragma unroll
    for (int q = 0; q < 32; ++q) x = fmaf(c.x, x, c.y);
    out[i] = x;
  }
}
void odd_even(const float* in, float* out, int n) {
  if (n) k<<<min(1056, (n + 255) / 256), 256>>>(in, out, n);
}
