// y = a x + y.
constexpr int threads = 256;

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  // TODO: ask the runtime for grid and block; the kernel then needs a grid-stride loop.
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(x, y, a, n);
}
