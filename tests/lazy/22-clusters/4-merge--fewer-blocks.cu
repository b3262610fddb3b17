// lazy: clusters/4-merge
// expect: gate atomics - shared_atomics <= 0.27 * 128 * blocks
// 64 blocks instead of 128: half the copies to join, and each block still sends all its bins.
constexpr int threads = 1024, values = 4096;

__global__ void histogram_kernel(const int* data, int* bins, int n) {
  __shared__ int mine[values];
  for (int b = threadIdx.x; b < values; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < values; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
}

void histogram(const int* data, int* bins, int n) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<64, threads>>>(data, bins, n);
}
