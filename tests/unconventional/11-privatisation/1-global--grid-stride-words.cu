// unconventional: privatisation/1-global
// A fixed grid, four bytes per round.
__global__ void k(const unsigned char* d, int* bins, int n) {
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * gridDim.x * blockDim.x)
    for (int j = i; j < min(i + 4, n); ++j) atomicAdd(bins + d[j], 1);
}
void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemsetAsync(bins, 0, 1024);
  if (n) k<<<64, 128>>>(data, bins, n);
}
