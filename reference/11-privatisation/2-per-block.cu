// How often each byte value occurs: a block counts in shared memory and adds its counts to the
// result.
// Bound by the L2, where blocks join their counts: up to 256 additions for 256 bytes.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  const int i = blockIdx.x * threads + threadIdx.x;
  mine[threadIdx.x] = 0;  // 256 threads, 256 bins
  __syncthreads();
  if (i < n) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
