// unconventional: roofline/5-one-thread
// Eight blocks per number add to it, after a memset.
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.y;
  float v = x[i], a = 0;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < 2000; t += gridDim.x * blockDim.x) {
    float q = v + t * (1.f / 1024);
    a += q * q;
  }
  for (int d = 16; d; d /= 2) a += __shfl_xor_sync(~0u, a, d);
  if (threadIdx.x % 32 == 0) atomicAdd(y + i, a);
}
void series(const float* x, float* y, int n) {
  if (n) {
    cudaMemsetAsync(y, 0, 4 * n);
    k<<<dim3(8, n), 256>>>(x, y, n);
  }
}
