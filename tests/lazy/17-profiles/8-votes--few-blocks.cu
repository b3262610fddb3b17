// lazy: profiles/8-votes
// expect: gate time_us <= 1.6 * reference(self)
// Sums in shared memory, by 8 blocks.
constexpr int threads = 256;
constexpr int labels = 8;

__global__ void votes_kernel(const int* votes, int* sums, int n) {
  __shared__ int here[labels];
  if (threadIdx.x < labels) here[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&here[votes[2 * i]], votes[2 * i + 1]);
  __syncthreads();
  if (threadIdx.x < labels) atomicAdd(&sums[threadIdx.x], here[threadIdx.x]);
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<8, threads>>>(votes, sums, n);
}
