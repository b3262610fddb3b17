// unconventional: sync-bugs/5-warp-sums
// Shuffles instead of shared memory: reading and writing are one instruction.
constexpr int threads = 128;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;
  for (int stride = 16; stride > 0; stride /= 2)
    value += __shfl_down_sync(0xffffffffu, value, stride);
  if (threadIdx.x % 32 == 0 && i < n) sums[i / 32] = value;
}

void warp_sums(const float* in, float* sums, int n) {
  if (n == 0) return;
  sums_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n);
}
