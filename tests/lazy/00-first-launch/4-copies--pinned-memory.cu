// lazy: first-launch/4-copies
// expect: gate mapped_launches == 0
// Pinned memory of the host: nothing goes to the device.
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
  cudaMallocHost(&device_x, bytes);
  cudaMallocHost(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToHost);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToHost);

  saxpy_kernel<<<blocks, threads>>>(a, device_x, device_y, n);

  cudaDeviceSynchronize();
  cudaMemcpy(y, device_y, bytes, cudaMemcpyHostToHost);
  cudaFreeHost(device_x);
  cudaFreeHost(device_y);
}
