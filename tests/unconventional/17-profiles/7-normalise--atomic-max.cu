// unconventional: profiles/7-normalise
// Magnitudes are at least 0, so their bits compare as integers do: one atomicMax per block.
constexpr int threads = 512;
constexpr int blocks = 264;
__device__ int peak_bits;

__global__ void peak_kernel(const float* in, int n) {
  __shared__ int block_peak;
  if (threadIdx.x == 0) block_peak = 0;
  __syncthreads();
  float peak = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    peak = fmaxf(peak, fabsf(in[i]));
  for (int offset = 16; offset > 0; offset /= 2)
    peak = fmaxf(peak, __shfl_xor_sync(0xffffffff, peak, offset));
  if (threadIdx.x % 32 == 0) atomicMax(&block_peak, __float_as_int(peak));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&peak_bits, block_peak);
}

__global__ void scale_kernel(const float* in, float* out, int n) {
  const float peak = __int_as_float(peak_bits);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  const int zero = 0;
  cudaMemcpyToSymbol(peak_bits, &zero, sizeof(int));
  peak_kernel<<<blocks, threads>>>(in, n);
  scale_kernel<<<blocks, threads>>>(in, out, n);
}
