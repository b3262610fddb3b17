// wrong: first-launch/4-copies
// mistake: The kernel wrote the device's array. Nothing brings it back to y by itself: copy it with cudaMemcpyDeviceToHost.
// expect: wrong
constexpr int threads = 256;

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  const size_t bytes = n * sizeof(float);  // sizes are in bytes everywhere

  float *device_x, *device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);

  saxpy_kernel<<<blocks, threads>>>(a, device_x, device_y, n);

  cudaFree(device_x);
  cudaFree(device_y);
}
