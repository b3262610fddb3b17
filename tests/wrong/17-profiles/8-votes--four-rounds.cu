// wrong: profiles/8-votes
// mistake: The number of rounds is written in. It fits the step's own size, and the votes beyond it are lost.
// expect: gate_failed gate right == 1 (n=1500007)
// Weighted votes for 8 labels: vote i is the pair votes[2 i] (label), votes[2 i + 1] (weight).
// Each warp adds up in shared memory, in 8 sums of its own. A block then adds 8 sums to those of
// the GPU. A pair is one load of 8 bytes. Bound by memory.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int warps = threads / 32;
constexpr int blocks = 132 * 8;

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  __shared__ int mine[warps][labels];
  if (threadIdx.x < warps * labels) mine[0][threadIdx.x] = 0;
  __syncthreads();
  for (int round = 0, i = blockIdx.x * threads + threadIdx.x; round < 4; ++round, i += blocks * threads)
    if (i < n) atomicAdd(&mine[threadIdx.x / 32][votes[i].x], votes[i].y);
  __syncthreads();
  if (threadIdx.x >= labels) return;
  int sum = 0;
  for (int w = 0; w < warps; ++w) sum += mine[w][threadIdx.x];
  atomicAdd(&sums[threadIdx.x], sum);
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<blocks, threads>>>((const int2*)votes, sums, n);
}
