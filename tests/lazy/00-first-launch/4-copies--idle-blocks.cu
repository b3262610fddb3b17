// lazy: first-launch/4-copies
// expect: gate time_us <= 1.75 * reference(self)
// 64 blocks of 256 do all the work; the others end at once.
constexpr int threads = 256;

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  if (blockIdx.x >= 64) return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 64 * blockDim.x) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const size_t bytes = n * sizeof(float);  // sizes are in bytes everywhere

  float* device_x;
  float* device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);

  saxpy_kernel<<<blocks, threads>>>(a, device_x, device_y, n);

  cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
  cudaFree(device_x);
  cudaFree(device_y);
}
