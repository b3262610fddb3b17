// c = a + b, two elements a thread.
constexpr int threads = 256;

// TODO: go on to four elements a thread, in a loop over a constant. In a block whose elements all exist none
// of them needs a check, and all eight loads can be sent before the first addition.
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
