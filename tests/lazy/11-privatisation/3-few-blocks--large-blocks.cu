// lazy: privatisation/3-few-blocks
// expect: gate blocks <= 512 (n=4194301, simt:a5000)
// Blocks of 1024 threads with one byte each: few enough blocks at the default size, but the grid
// grows with n.
constexpr int threads = 1024;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (threadIdx.x < 256) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  if (threadIdx.x >= 256) return;
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
