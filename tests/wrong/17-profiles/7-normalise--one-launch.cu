// wrong: profiles/7-normalise
// mistake: Blocks divide by what other blocks have found so far: nothing waits for the last of them.
// expect: finding race
constexpr int threads = 256;
constexpr int blocks = 256;
__device__ int peak_bits;

__global__ void normalise_kernel(const float* in, float* out, int n) {
  float peak = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    peak = fmaxf(peak, fabsf(in[i]));
  atomicMax(&peak_bits, __float_as_int(peak));
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / __int_as_float(peak_bits);
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  normalise_kernel<<<blocks, threads>>>(in, out, n);
}
