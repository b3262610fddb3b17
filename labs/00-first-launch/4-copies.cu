// y = a x + y. The arrays lie in host memory, which a kernel cannot reach.
constexpr int threads = 256;

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  // TODO: x and y are host pointers. Allocate device memory, and copy x and y there. Run the kernel
  // on it. Copy the result back to y, and free the memory.
  saxpy_kernel<<<blocks, threads>>>(a, x, y, n);
}
