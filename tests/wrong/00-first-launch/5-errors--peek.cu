// wrong: first-launch/5-errors
// mistake: cudaPeekAtLastError leaves the error where it is, so the launch that went through looks refused as well, and runs again. cudaGetLastError clears it.
// expect: wrong
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  int refused = 0;
  for (int threads = 4096; threads > 0; threads /= 2) {
    saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
    if (cudaPeekAtLastError() == cudaSuccess) break;
    ++refused;
  }
  return refused;
}
