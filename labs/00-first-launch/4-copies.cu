// y = a x + y. The arrays are in the host's memory now, where a kernel can't reach them.
constexpr int threads = 256;

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  // TODO: x and y are host pointers. Allocate two arrays on the device, copy x and y there, run the kernel on
  // them, copy the result back to y, and free both.
  saxpy_kernel<<<blocks, threads>>>(a, x, y, n);
}
