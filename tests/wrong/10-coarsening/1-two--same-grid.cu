// wrong: coarsening/1-two
// mistake: The grid has as many blocks as before, so half of them have nothing to do. Half of the blocks are enough.
// expect: gate_failed gate threads <= n / 2 + 1024
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  const int j = i + blockDim.x;
  if (j < n) c[j] = a[j] + b[j];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int per_block = threads;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
