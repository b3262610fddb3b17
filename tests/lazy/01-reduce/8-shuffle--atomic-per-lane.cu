// lazy: reduce/8-shuffle
// expect: gate global_atomic_lane_bytes <= n / 16 + 64
// Each thread adds eight floats, and then an atomic adds its sum to the result: no shuffle.
constexpr int threads = 64;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int base = blockIdx.x * 512;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const int i = base + j * threads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  atomicAdd(partials + blockIdx.x, sum);
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  const int blocks = (n + 511) / 512;
  cudaMemsetAsync(partials, 0, blocks * sizeof(float));
  reduce_kernel<<<blocks, threads>>>(in, partials, n);
}
