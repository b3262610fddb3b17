// unconventional: coarsening/1-two
// The second element lies half the array further on, not one block.
constexpr int threads = 128;

__global__ void add_kernel(const float* a, const float* b, float* c, int n, int half) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= half) return;
  c[i] = a[i] + b[i];
  const int j = i + half;
  if (j < n) c[j] = a[j] + b[j];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int half = ((n + 1) / 2 + 7) / 8 * 8;  // a multiple of a sector's 8 floats
  add_kernel<<<(half + threads - 1) / threads, threads>>>(a, b, c, n, half);
}
