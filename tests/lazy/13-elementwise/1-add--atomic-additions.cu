// lazy: elementwise/1-add
// expect: gate default: global_atomics <= 4 * reference(self) + 64
// A store, and an atomic addition on top.
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = a[i];
  atomicAdd(&c[i], b[i]);
}

void add(const float* a, const float* b, float* c, int n) {
  if (n > 0) add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
