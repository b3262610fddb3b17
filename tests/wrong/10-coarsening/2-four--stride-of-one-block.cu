// wrong: coarsening/2-four
// mistake: k * each does not move on by a block: consecutive threads overwrite each other. The elements of a thread are `threads` apart.
// expect: finding race
constexpr int threads = 256;
constexpr int each = 4;  // elements per thread
constexpr int per_block = each * threads;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * per_block + threadIdx.x;
  if ((blockIdx.x + 1) * per_block <= n) {
    float x[each], y[each];
    for (int k = 0; k < each; ++k) x[k] = a[start + k * each], y[k] = b[start + k * each];
    for (int k = 0; k < each; ++k) c[start + k * each] = x[k] + y[k];
  } else {
    for (int i = start; i < n; i += threads) c[i] = a[i] + b[i];  // a last block that isn't full
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
