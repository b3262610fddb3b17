// lazy: reduce/16-shuffle-down
// expect: gate global_atomic_lane_bytes <= n / 8 + 64
// An atomic per float: no shuffle.
__global__ void sums_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&partials[i / 32], in[i]);
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  cudaMemset(partials, 0, (n + 31) / 32 * sizeof(float));
  sums_kernel<<<(n + 255) / 256, 256>>>(in, partials, n);
}
