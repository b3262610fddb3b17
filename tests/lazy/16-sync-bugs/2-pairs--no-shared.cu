// lazy: sync-bugs/2-pairs
// expect: gate global_load_lane_bytes <= 1.05 * 4 * n
// No barrier at all: each thread loads both elements from global memory.
constexpr int threads = 256;

__global__ void pair_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1 < n ? 0.5f * (in[i] + in[i + 1]) : in[i];
}

void pairs(const float* in, float* out, int n) {
  if (n == 0) return;
  pair_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
