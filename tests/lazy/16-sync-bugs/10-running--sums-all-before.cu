// lazy: sync-bugs/10-running
// expect: gate global_load_lane_bytes <= 8 * n
// No block waits: each adds up all floats up to its own, 129 times the loads.
constexpr int threads = 256;

__global__ void running_kernel(const float* in, float* sums, int n) {
  __shared__ float s[threads];
  const int end = min(n, int(blockIdx.x + 1) * threads);
  float value = 0.0f;
  for (int i = threadIdx.x; i < end; i += threads) value += in[i];
  s[threadIdx.x] = value;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

void running(const float* in, float* sums, int n) {
  if (n == 0) return;
  running_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n);
}
