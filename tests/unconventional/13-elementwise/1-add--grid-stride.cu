// unconventional: elementwise/1-add
// A fixed grid whose threads walk through the array.
constexpr int threads = 512;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<min(528, (n + threads - 1) / threads), threads>>>(a, b, c, n);
}
