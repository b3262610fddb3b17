// unconventional: profiles/8-votes
// Per-block sums go to an array, and a second launch adds them up.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int per_thread = 8;

constexpr int most_blocks = 1 << 15;
__device__ int block_sums[most_blocks][labels];

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
  if (threadIdx.x < labels) block_sums[blockIdx.x][threadIdx.x] = here[threadIdx.x];
}

// A warp per label.
__global__ void add_kernel(int* sums, int blocks) {
  const int label = threadIdx.x / 32, lane = threadIdx.x % 32;
  int sum = 0;
  for (int b = lane; b < blocks; b += 32) sum += block_sums[b][label];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) sums[label] = sum;
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  constexpr int per_block = threads * per_thread;
  const int blocks = (n + per_block - 1) / per_block;
  votes_kernel<<<blocks, threads>>>((const int2*)votes, sums, n);
  add_kernel<<<1, 32 * labels>>>(sums, blocks);
}
