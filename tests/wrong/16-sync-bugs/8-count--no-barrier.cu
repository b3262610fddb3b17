// wrong: sync-bugs/8-count
// mistake: The zeros are written, but other warps may count before that: the 0 then wipes out their counts. A barrier belongs between.
// expect: finding race
constexpr int threads = 256;

constexpr int values = 64;

__global__ void count_kernel(const int* in, int* counts, int n) {
  __shared__ int mine[values];
  if (threadIdx.x < values) mine[threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < values) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

void count(const int* in, int* counts, int n) {
  cudaMemset(counts, 0, values * sizeof(int));
  if (n == 0) return;
  count_kernel<<<min(264, (n + threads - 1) / threads), threads>>>(in, counts, n);
}
