// lazy: overlap/5-priorities
// expect: gate calls(cudaStreamCreateWithPriority) + min(calls(cudaLaunchKernelEx), source(cudaLaunchAttributePriority)) >= 1
// The urgent kernel is launched before the bulk work. No stream has a priority.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}
__global__ void urgent_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}
void serve(const float* x, float* y, const float* fx, float* fy, const float* amplitude, int tones, int n,
           int few) {
  if (!n) return;
  urgent_kernel<<<(few + 255) / 256, 256>>>(fx, fy, amplitude, tones, few);
  tones_kernel<<<(n + 255) / 256, 256>>>(x, y, amplitude, tones, n);
  cudaDeviceSynchronize();
}
