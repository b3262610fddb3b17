// lazy: privatisation/7-window
// expect: gate global_load_lane_bytes <= 1.2 * 4 * n
// Shared memory is used, but every thread brings all 16 of its inputs.
constexpr int threads = 64;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[window][threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < window; ++k) tile[k][threadIdx.x] = in[i + k];
  float sum = 0.0f;
  for (int k = 0; k < window; ++k) sum += tile[k][threadIdx.x];
  out[i] = sum;
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
