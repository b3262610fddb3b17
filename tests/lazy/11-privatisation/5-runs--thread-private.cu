// lazy: privatisation/5-runs
// expect: gate time_us <= 2 * reference(self)
// A copy of the counts per thread in shared memory: no atomics, and no runs.
constexpr int threads = 64;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  extern __shared__ unsigned short mine[];  // [256][threads]
  for (int b = 0; b < 256; ++b) mine[b * threads + threadIdx.x] = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    ++mine[data[i] * threads + threadIdx.x];
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += threads) {
    int sum = 0;
    for (int t = 0; t < threads; ++t) sum += mine[b * threads + (t + threadIdx.x) % threads];
    if (sum) atomicAdd(&bins[b], sum);
  }
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n > 0) histogram_kernel<<<528, threads, 256 * threads * 2>>>(data, bins, n);
}
