// wrong: occupancy/1-block-size
// mistake: The block takes so much shared memory that only one fits on an SM. Occupancy is limited by whatever runs out first.
// expect: gate_failed gate occupancy >= 0.99
// y = a x + y.
constexpr int threads = 1024;

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  cudaFuncSetAttribute(saxpy_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 128 * 1024);
  saxpy_kernel<<<(n + threads - 1) / threads, threads, 128 * 1024>>>(x, y, a, n);
}
