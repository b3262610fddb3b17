// lazy: clusters/5-distributed
// expect: gate cluster_lane_bytes >= 1.5 * n
// Two counts of 16 bits per word fit in one block: quick, but only where a block counts less than
// 65536 samples, and of no use with more values.
constexpr int threads = 1024;

__global__ void histogram_kernel(const int* data, int* bins, int n, int values) {
  extern __shared__ unsigned pairs[];
  const int words = (values + 1) / 2;
  for (int w = threadIdx.x; w < words; w += threads) pairs[w] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&pairs[data[i] / 2], 1u << (16 * (data[i] % 2)));
  __syncthreads();
  for (int b = threadIdx.x; b < values; b += threads) {
    const int count = (pairs[b / 2] >> (16 * (b % 2))) & 0xffff;
    if (count != 0) atomicAdd(&bins[b], count);
  }
}

void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  const int bytes = (values + 1) / 2 * 4;
  cudaFuncSetAttribute(histogram_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  histogram_kernel<<<max(128, n / 60000 + 1), threads, bytes>>>(data, bins, n, values);
}
