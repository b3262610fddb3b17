// How often each byte value occurs.
// Bound by atomic additions to one word: the L2 executes them one after another.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[data[i]], 1);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
