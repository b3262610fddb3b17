// lazy: elementwise/1-add
// expect: gate global_load_sectors <= n / 4 + 16
// Each thread adds four consecutive elements, one after another: the lanes of each load are 16
// bytes apart.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4 && i < n; ++i) c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(a, b, c, n);
}
