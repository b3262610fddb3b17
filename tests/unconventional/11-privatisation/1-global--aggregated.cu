// unconventional: privatisation/1-global
// The lanes of a warp that have the same byte find each other; one of them adds for all.
constexpr int threads = 128;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const int value = i < n ? data[i] : 256 + threadIdx.x % 32;
  const unsigned same = __match_any_sync(0xffffffffu, value);
  const bool first = __ffs(same) - 1 == threadIdx.x % 32;
  if (i < n && first) atomicAdd(&bins[value], __popc(same));
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<(n + threads - 1) / threads, threads>>>(data, bins, n);
}
