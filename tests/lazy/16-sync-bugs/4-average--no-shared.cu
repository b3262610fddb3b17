// lazy: sync-bugs/4-average
// expect: gate global_load_lane_bytes <= 1.1 * 4 * n
// No shared tile: each thread loads its three inputs, and no element has two owners.
constexpr int threads = 256;

__global__ void average_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? in[i - 1] : 0.0f;
  const float right = i + 1 < n ? in[i + 1] : 0.0f;
  out[i] = (left + in[i] + right) / 3.0f;
}

void average(const float* in, float* out, int n) {
  if (n == 0) return;
  average_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
