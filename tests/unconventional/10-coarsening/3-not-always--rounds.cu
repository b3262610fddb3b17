// unconventional: coarsening/3-not-always
// The work per thread is a number of rounds that the host computes: a loop instead of two kernels.
constexpr int threads = 128;

__global__ void add_kernel(const float* a, const float* b, float* c, int n, int rounds) {
  const int start = blockIdx.x * rounds * threads + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    const int i = start + k * threads;
    if (i < n) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const int rounds = n >= 8 * threads * device.multiProcessorCount ? 4 : 1;
  add_kernel<<<(n + rounds * threads - 1) / (rounds * threads), threads>>>(a, b, c, n, rounds);
}
