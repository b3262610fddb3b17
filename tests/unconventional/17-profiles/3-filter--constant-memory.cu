// unconventional: profiles/3-filter
// The taps lie in constant memory. Shared memory is not used.
__constant__ float weights[12288];
__global__ void filter_kernel(const float* in, float* out, int n, int count) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}
void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, taps, count * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  filter_kernel<<<(n + 127) / 128, 128>>>(in, out, n, count);
}
