// c = a + b for a small n, four elements a thread.
constexpr int threads = 256;
constexpr int each = 4;  // elements a thread
constexpr int per_block = each * threads;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * per_block + threadIdx.x;
  if ((blockIdx.x + 1) * per_block <= n) {
    float x[each], y[each];
    for (int k = 0; k < each; ++k) x[k] = a[start + k * threads], y[k] = b[start + k * threads];
    for (int k = 0; k < each; ++k) c[start + k * threads] = x[k] + y[k];
  } else {
    for (int i = start; i < n; i += threads) c[i] = a[i] + b[i];  // a last block that isn't full
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  // TODO: with few elements, four a thread leave multiprocessors without a block. Make `each` a template
  // parameter of the kernel, and launch it with 4 only if that still gives every multiprocessor a block, else
  // with 1.
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
