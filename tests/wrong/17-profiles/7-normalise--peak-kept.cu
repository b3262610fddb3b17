// wrong: profiles/7-normalise
// mistake: The peak of the last call is kept: nothing sets it back to 0 before the next one.
// expect: wrong
__device__ int top;
__global__ void find(const float* in, int n) {
  float p = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) p = fmaxf(p, fabsf(in[i]));
  __shared__ float s[8];
  for (int d = 16; d > 0; d /= 2) p = fmaxf(p, __shfl_xor_sync(~0u, p, d));
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = p;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i) p = fmaxf(p, s[i]);
    atomicMax(&top, __float_as_int(p));
  }
}
__global__ void k(const float* in, float* out, int n) {
  float q = __int_as_float(top);
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) out[i] = in[i] / q;
}
void normalise(const float* in, float* out, int n) {
  if (!n) return;
  find<<<264, 256>>>(in, n);
  k<<<264, 256>>>(in, out, n);
}
