// unconventional: reduce/10-finish-atomic
// A fixed grid of large blocks, and red instead of atom.
__global__ void k(const float* in, float* sum, int n) {
  __shared__ float s[32];
  float v = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < size_t(n);
       i += size_t(gridDim.x) * blockDim.x)
    v += in[i];
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = s[threadIdx.x];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(v) : "memory");
  }
}
void reduce(const float* in, float* sum, int n) {
  cudaMemsetAsync(sum, 0, sizeof *sum);
  if (n) k<<<264, 1024>>>(in, sum, n);
}
