// lazy: occupancy/5-ask
// expect: gate abs(waves - 1) <= 0.01 (simt:a100)
// Numbers for a T4 and an H100 are written in.
__global__ void k(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}
void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int sms;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  k<<<sms == 40 ? 40 : 264, 1024>>>(x, y, a, n);
}
