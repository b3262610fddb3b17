// wrong: reduce/15-max
// mistake: The least of the bits as an unsigned number is the maximum of negative floats only.
// expect: gate_failed gate right == 1 (n=65537, shift=4)
// The largest is nearly always the same: -1 as near as floats get (4 million values in [-2, -1)).
__global__ void k(const float4* in, float* out, int n) {
  float m = -2.0f;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n / 4; i += gridDim.x * 1024) {
    float4 v = in[i];
    m = fmaxf(fmaxf(m, v.x), fmaxf(v.y, fmaxf(v.z, v.w)));
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4)
    m = fmaxf(m, ((const float*)in)[n / 4 * 4 + threadIdx.x]);
  __shared__ unsigned s;
  if (threadIdx.x == 0) s = 0xffffffffu;
  __syncthreads();
  unsigned b = __float_as_uint(m);
  for (int d = 16; d; d /= 2) b = min(b, __shfl_xor_sync(~0u, b, d));
  if (threadIdx.x % 32 == 0) atomicMin(&s, b);
  __syncthreads();
  if (threadIdx.x == 0) atomicMin((unsigned*)out, s);
}
void maximum(const float* in, float* largest, int n) {
  cudaMemset(largest, 0xff, 4);
  k<<<264, 1024>>>((const float4*)in, largest, n);
}
