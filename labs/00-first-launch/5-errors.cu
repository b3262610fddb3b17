// y = a x + y with the largest block that the device takes. (x and y lie in device memory again.)
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

/// Returns how many launches were refused.
int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  int refused = 0;
  // TODO: no GPU takes 4096 threads per block, and nothing here notices. Ask after the launch
  // whether it went through. While it does not, count it and try again with half the threads.
  const int threads = 4096;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return refused;
}
