// unconventional: privatisation/3-few-blocks
// 264 blocks of 512 threads. Each takes one contiguous part of the data, and walks through it in
// rounds.
constexpr int threads = 512;
constexpr int blocks = 264;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  if (threadIdx.x < 256) mine[threadIdx.x] = 0;
  __syncthreads();
  const int part = (n + blocks - 1) / blocks;
  const int end = min(n, (int(blockIdx.x) + 1) * part);
  for (int i = blockIdx.x * part + threadIdx.x; i < end; i += threads) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  if (threadIdx.x < 256 && mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<blocks, threads>>>(data, bins, n);
}
