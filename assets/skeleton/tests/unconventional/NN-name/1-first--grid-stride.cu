// unconventional: @name@/1-first
// A grid of fixed size: consecutive threads load consecutive floats, then move on by the whole grid.
__global__ void twice_kernel(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  twice_kernel<<<528, 128>>>(in, out, n);
}
