// c = a + b, two elements per thread.
constexpr int threads = 256;

// TODO: four elements per thread; a block whose elements all exist needs a single check.
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  const int j = i + blockDim.x;
  if (j < n) c[j] = a[j] + b[j];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
