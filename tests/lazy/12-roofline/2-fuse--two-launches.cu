// lazy: roofline/2-fuse
// expect: gate launches == 1
// Two of the three launches fused: t still goes to memory and comes back.
constexpr int threads = 256;

__global__ void add_kernel(const float* x, const float* r, float* t, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) t[i] = 0.5f * x[i] + 0.25f + r[i];
}

__global__ void relu_kernel(const float* t, float* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = (t[i] < 0.0f) ? 0.0f : t[i];
}

void chain(const float* x, const float* r, float* t, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  add_kernel<<<blocks, threads>>>(x, r, t, n);
  relu_kernel<<<blocks, threads>>>(t, y, n);
}
