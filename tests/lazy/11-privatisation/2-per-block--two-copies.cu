// lazy: privatisation/2-per-block
// expect: gate time_us <= 0.15 * reference(global)
// Two copies in global memory, joined by a second kernel: the blanks still meet in two words.
constexpr int threads = 256;
constexpr int copies = 2;

__global__ void histogram_kernel(const unsigned char* data, int* counts, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) atomicAdd(&counts[256 * (blockIdx.x % copies) + data[i]], 1);
}

__global__ void join_kernel(const int* counts, int* bins) {
  int sum = 0;
  for (int c = 0; c < copies; ++c) sum += counts[256 * c + threadIdx.x];
  bins[threadIdx.x] = sum;
}

void histogram(const unsigned char* data, int* bins, int n) {
  int* counts;
  cudaMalloc(&counts, copies * 256 * sizeof(int));
  cudaMemset(counts, 0, copies * 256 * sizeof(int));
  if (n > 0) histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, counts, n);
  join_kernel<<<1, 256>>>(counts, bins);
  cudaFree(counts);
}
