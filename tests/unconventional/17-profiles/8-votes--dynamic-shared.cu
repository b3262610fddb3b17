// unconventional: profiles/8-votes
// One set of sums per block, in dynamic shared memory.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int warps = threads / 32;
constexpr int blocks = 132 * 8;

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  extern __shared__ int mine[];
  if (threadIdx.x < labels) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) {
    const int2 vote = votes[i];
    atomicAdd_block(mine + vote.x, vote.y);
  }
  __syncthreads();
  if (threadIdx.x < labels) atomicAdd(sums + threadIdx.x, mine[threadIdx.x]);
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<blocks, threads, labels * sizeof(int)>>>((const int2*)votes, sums, n);
}
