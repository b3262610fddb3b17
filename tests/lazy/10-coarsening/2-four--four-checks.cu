// lazy: coarsening/2-four
// expect: gate ptx(setp) <= 0.6 * n / 32
// Four elements per thread, each behind a check of its own.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * 4 * threads + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const int i = start + k * threads;
    if (i < n) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int per_block = 4 * threads;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
