// y = a x + y with the largest block that the device takes. (x and y lie in device memory again.)
// Bound by DRAM bandwidth: 12 bytes per element. A refused launch costs the GPU nothing.
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

/// Returns how many launches were refused.
int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  int refused = 0;
  for (int threads = 4096; threads > 0; threads /= 2) {
    saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
    // reads the error, and clears it for the next try
    if (cudaGetLastError() == cudaSuccess) break;
    ++refused;
  }
  return refused;
}
