// unconventional: divergence/2-select
__global__ void odd_even_kernel(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float a = __int_as_float(0x3f000000 - ((i & 1) << 23)),
                b = __int_as_float(0x3e800000 + ((i & 1) << 23));
    float x = in[i];
#pragma unroll 8
    for (int k = 0; k < 32; ++k) x = __fmaf_rn(a, x, b);
    out[i] = x;
  }
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<min((n + 255) / 256, 132 * 8), 256>>>(in, out, n);
}
