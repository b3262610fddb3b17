// unconventional: profiles/7-normalise
// Magnitudes compare like their bits: one atomic maximum per block, cleared by an asynchronous memset.
__device__ int peak_bits;

__global__ void peak_kernel(const float4* in, const float* all, int n) {
  int peak = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    const float m = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    peak = max(peak, __float_as_int(m));
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4)
    peak = max(peak, __float_as_int(fabsf(all[n / 4 * 4 + threadIdx.x])));
  for (int d = 16; d > 0; d /= 2) peak = max(peak, __shfl_xor_sync(~0u, peak, d));
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicMax(&of_block, peak);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&peak_bits, of_block);
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  const float peak = __int_as_float(peak_bits);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  void* p;
  cudaGetSymbolAddress(&p, peak_bits);
  cudaMemsetAsync(p, 0, sizeof(int));
  peak_kernel<<<264, 512>>>(reinterpret_cast<const float4*>(in), in, n);
  scale_kernel<<<264, 1024>>>(in, out, n);
}
