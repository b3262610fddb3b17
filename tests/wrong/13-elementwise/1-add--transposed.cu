// wrong: elementwise/1-add
// mistake: Consecutive threads take elements gridDim.x apart: right, but every lane needs a sector of its own.
// expect: gate_failed gate global_load_sectors <= n / 4 + 16
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}
