// lazy: coalescing/4-misaligned
// expect: gate copied_bytes == 0
// The floats are copied to an aligned scratch array, doubled there, and copied back: three times
// the traffic.
constexpr int threads = 256;

__global__ void scale_kernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2.0f;
}

void scale(float* data, int offset, int n) {
  if (n == 0) return;
  float* scratch;
  cudaMalloc(&scratch, n * sizeof(float));
  cudaMemcpy(scratch, data + offset, n * sizeof(float), cudaMemcpyDeviceToDevice);
  scale_kernel<<<(n + threads - 1) / threads, threads>>>(scratch, n);
  cudaMemcpy(data + offset, scratch, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
