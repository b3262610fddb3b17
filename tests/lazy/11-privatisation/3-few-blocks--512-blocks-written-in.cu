// lazy: privatisation/3-few-blocks
// expect: gate blocks <= 320 (n=4194301, simt:t4)
// The grid has at most 512 blocks, whatever the GPU. No GPU is asked.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  const int wanted = (n + threads - 1) / threads;
  const int most = 512;  // 8 blocks of 256 threads fill an SM
  histogram_kernel<<<min(wanted, most), threads>>>(data, bins, n);
}
