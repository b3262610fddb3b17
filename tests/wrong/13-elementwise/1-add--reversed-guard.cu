// wrong: elementwise/1-add
// mistake: The guard keeps out the threads that have an element and lets in those that have none.
// expect: finding out_of_bounds line 8
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}
