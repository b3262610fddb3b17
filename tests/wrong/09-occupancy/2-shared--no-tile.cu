// wrong: occupancy/2-shared
// mistake: Without a tile shared memory is no limit, but every input is loaded three times.
// expect: gate_failed gate global_load_lane_bytes <= 1.1 * 4 * n
constexpr int threads = 256;

__global__ void smooth_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? in[i - 1] : 0.0f, right = i + 1 < n ? in[i + 1] : 0.0f;
  out[i] = (left + in[i] + right) / 3.0f;
}

void smooth(const float* in, float* out, int n) {
  if (n == 0) return;
  smooth_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
