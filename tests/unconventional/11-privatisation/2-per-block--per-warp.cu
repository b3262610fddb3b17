// unconventional: privatisation/2-per-block
// One copy per warp: fewer lanes meet in a word, and the block joins its copies before it adds them.
constexpr int threads = 256, bins_all = 256, warps = threads / 32;

__global__ void count(const unsigned char* text, int* bins, int n) {
  __shared__ int own[warps][bins_all];
  for (int i = threadIdx.x; i < warps * bins_all; i += threads) own[i / bins_all][i % bins_all] = 0;
  __syncthreads();
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) atomicAdd(&own[threadIdx.x / 32][text[i]], 1);
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < warps; ++w) sum += own[w][threadIdx.x];
  if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, bins_all * sizeof(int));
  if (n == 0) return;
  count<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
