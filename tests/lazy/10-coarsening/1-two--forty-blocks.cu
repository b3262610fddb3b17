// lazy: coarsening/1-two
// expect: gate threads >= n / 4
// Forty blocks that loop: a hundred pairs per thread, and 92 of 132 SMs are idle.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<40, threads>>>(a, b, c, n);
}
