// lazy: sync-bugs/3-twice
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// No vectors any more, so nothing is read past the end.
constexpr int threads = 256;

__global__ void double_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  double_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
