// wrong: first-launch/5-errors
// mistake: 1024 threads work, but the two refused launches are a guess: nothing asked the runtime. A kernel with too many registers for 1024 threads would then fail unnoticed. Look at cudaGetLastError() after each launch.
// expect: finding launch_error
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  for (int threads = 4096; threads >= 1024; threads /= 2)
    saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return 2;
}
