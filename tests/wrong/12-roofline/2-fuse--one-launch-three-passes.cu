// wrong: roofline/2-fuse
// mistake: One launch, but the intermediate value still goes to t and comes back: keep it in a variable.
// expect: gate_failed gate (global_load_sectors + global_store_sectors) * 32 <= 1.02 * 12 * n + 1024
// y = relu(0.5 x + 0.25 + r).
constexpr int threads = 256;

__global__ void chain_kernel(const float* x, const float* r, float* t, float* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  t[i] = 0.5f * x[i] + 0.25f;
  t[i] += r[i];
  y[i] = t[i] < 0.0f ? 0.0f : t[i];
}

void chain(const float* x, const float* r, float* t, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  chain_kernel<<<blocks, threads>>>(x, r, t, y, n);
}
