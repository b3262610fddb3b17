// lazy: privatisation/3-few-blocks
// expect: gate time_us <= 0.95 * reference(per-block)
// Few blocks, and two warps in each: the copies cost little, and most warp slots stay empty.
constexpr int threads = 64;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int own[256];
  for (int b = threadIdx.x; b < 256; b += threads) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) atomicAdd(&own[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += threads)
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<132, threads>>>(data, bins, n);
}
