// wrong: privatisation/1-global
// mistake: bins[x] += 1 reads, adds and writes: two threads that read the same count raise it once. atomicAdd does the three as one.
// expect: finding race line 10
// How often each byte value occurs.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  bins[data[i]] = bins[data[i]] + 1;
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
