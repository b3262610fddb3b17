// unconventional: first-launch/4-copies
template <int threads>
__global__ void saxpy_kernel(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = fmaf(a, __ldg(x + i), y[i]);
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  cudaStream_t s;
  cudaStreamCreate(&s);
  float *dx, *dy;
  cudaMallocAsync(&dx, bytes, s);
  cudaMallocAsync(&dy, bytes, s);
  cudaMemcpyAsync(dx, x, bytes, cudaMemcpyDefault, s);
  cudaMemcpyAsync(dy, y, bytes, cudaMemcpyDefault, s);
  saxpy_kernel<128><<<(n + 127) / 128, 128, 0, s>>>(a, dx, dy, n);
  cudaMemcpyAsync(y, dy, bytes, cudaMemcpyDefault, s);
  cudaFreeAsync(dx, s);
  cudaFreeAsync(dy, s);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}
