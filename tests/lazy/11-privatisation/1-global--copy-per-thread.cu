// lazy: privatisation/1-global
// expect: gate atomics >= n / 1024
// 64 threads count in copies of their own, and a second kernel adds these up: no thread shares a bin.
constexpr int threads = 64;

__global__ void count_kernel(const unsigned char* data, int* counts, int n) {
  const int part = (n + threads - 1) / threads;
  const int first = threadIdx.x * part;
  for (int i = first; i < first + part && i < n; ++i) ++counts[256 * threadIdx.x + data[i]];
}

__global__ void join_kernel(const int* counts, int* bins) {
  int sum = 0;
  for (int t = 0; t < threads; ++t) sum += counts[256 * t + threadIdx.x];
  bins[threadIdx.x] = sum;
}

void histogram(const unsigned char* data, int* bins, int n) {
  int* counts;
  cudaMalloc(&counts, threads * 256 * sizeof(int));
  cudaMemset(counts, 0, threads * 256 * sizeof(int));
  count_kernel<<<1, threads>>>(data, counts, n);
  join_kernel<<<1, 256>>>(counts, bins);
  cudaFree(counts);
}
