// unconventional: profiles/8-votes
// Eight sums per thread in registers, added up by shuffles within warps and by atomics within blocks.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int per_thread = 8;

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  __shared__ int here[labels];
  if (threadIdx.x < labels) here[threadIdx.x] = 0;
  __syncthreads();
  int mine[labels] = {};
  for (int k = 0; k < per_thread; ++k) {
    const int i = (blockIdx.x * per_thread + k) * threads + threadIdx.x;
    if (i >= n) break;
    const int2 vote = votes[i];
    // Constant indices, so that the sums stay in registers.
    for (int c = 0; c < labels; ++c) mine[c] += vote.x == c ? vote.y : 0;
  }
  for (int c = 0; c < labels; ++c) {
    for (int offset = 16; offset > 0; offset /= 2)
      mine[c] += __shfl_xor_sync(0xffffffff, mine[c], offset);
    if (threadIdx.x % 32 == 0) atomicAdd(&here[c], mine[c]);
  }
  __syncthreads();
  if (threadIdx.x < labels) atomicAdd(&sums[threadIdx.x], here[threadIdx.x]);
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  constexpr int per_block = threads * per_thread;
  votes_kernel<<<(n + per_block - 1) / per_block, threads>>>((const int2*)votes, sums, n);
}
