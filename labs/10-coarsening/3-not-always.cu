// c = a + b for a small n, sixteen elements per thread.
// Bound by latency: few blocks, so most SMs have no work.
constexpr int threads = 256;
constexpr int each = 16;  // elements per thread
constexpr int per_block = each * threads;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * per_block + threadIdx.x;
  if ((blockIdx.x + 1) * per_block <= n) {
    float x[each];
    float y[each];
    for (int k = 0; k < each; ++k) {
      x[k] = a[start + k * threads];
      y[k] = b[start + k * threads];
    }
    for (int k = 0; k < each; ++k) c[start + k * threads] = x[k] + y[k];
  } else {
    for (int i = start; i < n; i += threads) c[i] = a[i] + b[i];  // the last block
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  // TODO: decide between sixteen elements per thread and one, by the number of blocks and of SMs.
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
