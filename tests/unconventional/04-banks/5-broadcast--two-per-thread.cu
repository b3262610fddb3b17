// unconventional: banks/5-broadcast
// Two outputs per thread, coefficients by float4, pointers in a struct.
struct Ptrs {
  const float* in;
  float* out;
};
__global__ void k(Ptrs p, const float4* coefficients, int n) {
  __shared__ float4 c[8];
  if (threadIdx.x < 8) c[threadIdx.x] = __ldg(coefficients + threadIdx.x);
  __syncthreads();
  const int i = blockIdx.x * 512 + threadIdx.x;
  const float x = i < n ? p.in[i] : 0, z = i + 256 < n ? p.in[i + 256] : 0;
  float y = 0, u = 0;
#pragma unroll
  for (int q = 7; q >= 0; --q) {
    const float4 v = c[q];
    y = fmaf(fmaf(fmaf(fmaf(y, x, v.w), x, v.z), x, v.y), x, v.x);
    u = fmaf(fmaf(fmaf(fmaf(u, z, v.w), z, v.z), z, v.y), z, v.x);
  }
  if (i < n) p.out[i] = y;
  if (i + 256 < n) p.out[i + 256] = u;
}
void evaluate(const float* in, const float* coefficients, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>({in, out}, (const float4*)coefficients, n);
}
