// lazy: reduce/16-shuffle-down
// expect: gate global_load_sectors <= n / 8 + 16
// One thread per sum: no lane needs another, and each load of a warp touches 32 lines.
constexpr int threads = 64;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (32 * row >= n) return;
  float sum = 0.0f;
  for (int i = 32 * row; i < min(n, 32 * row + 32); ++i) sum += __ldcg(&in[i]);
  partials[row] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + 32 * threads - 1) / (32 * threads), threads>>>(in, partials, n);
}
