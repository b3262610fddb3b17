// lazy: first-launch/4-copies
// expect: gate mapped_launches == 0
// Managed memory, of which the kernel may use what the host has.
constexpr int threads = 256;

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const size_t bytes = n * sizeof(float);  // sizes are in bytes everywhere

  float* device_x;
  float* device_y;
  cudaMallocManaged(&device_x, bytes);
  cudaMallocManaged(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyDefault);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyDefault);

  saxpy_kernel<<<blocks, threads>>>(a, device_x, device_y, n);

  cudaMemcpy(y, device_y, bytes, cudaMemcpyDefault);  // waits for the kernel
  cudaFree(device_x);
  cudaFree(device_y);
}
