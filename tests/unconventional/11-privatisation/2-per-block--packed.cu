// unconventional: privatisation/2-per-block
// Two counts of 16 bits per word: 512 bytes per block. A block counts 256 bytes at most, so no
// count overflows.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ unsigned mine[128];
  if (threadIdx.x < 128) mine[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) atomicAdd(&mine[data[i] / 2], 1u << (16 * (data[i] % 2)));
  __syncthreads();
  const int count = (mine[threadIdx.x / 2] >> (16 * (threadIdx.x % 2))) & 0xffff;
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
