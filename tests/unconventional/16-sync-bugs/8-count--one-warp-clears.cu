// unconventional: sync-bugs/8-count
// One warp clears two counters per lane, in blocks of 512 threads.
constexpr int threads = 512;
constexpr int values = 64;

__global__ void count_kernel(const int* in, int* counts, int n) {
  __shared__ int mine[values];
  if (threadIdx.x < 32) {
    mine[threadIdx.x] = 0;
    mine[threadIdx.x + 32] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < values) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

void count(const int* in, int* counts, int n) {
  cudaMemset(counts, 0, values * sizeof(int));
  if (n == 0) return;
  count_kernel<<<min(132, (n + threads - 1) / threads), threads>>>(in, counts, n);
}
