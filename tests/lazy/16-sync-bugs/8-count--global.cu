// lazy: sync-bugs/8-count
// expect: gate time_us <= 2 * reference(self)
// Every element goes to the global counters directly: nothing to clear, and all additions crowd
// there.
constexpr int threads = 256;
constexpr int values = 64;

__global__ void count_kernel(const int* in, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i]], 1);
}

void count(const int* in, int* counts, int n) {
  cudaMemset(counts, 0, values * sizeof(int));
  if (n == 0) return;
  count_kernel<<<min(264, (n + threads - 1) / threads), threads>>>(in, counts, n);
}
