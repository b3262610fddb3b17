// wrong: sync-bugs/8-count
// mistake: With fewer elements than a block has threads, the grid is rounded down to no block at all.
// expect: finding launch_error
// Counts how often each value from 0 to 63 occurs; every block counts in shared memory first.
// Bound by latency and by global additions. The block clears its counters before it counts.
constexpr int threads = 256;
constexpr int values = 64;

__global__ void count_kernel(const int* in, int* counts, int n) {
  __shared__ int mine[values];
  if (threadIdx.x < values) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < values) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

void count(const int* in, int* counts, int n) {
  cudaMemset(counts, 0, values * sizeof(int));
  if (n == 0) return;
  count_kernel<<<min(264, n / threads), threads>>>(in, counts, n);
}
