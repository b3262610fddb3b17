// wrong: profiles/8-votes
// mistake: Sums in shared memory are not set to 0 first.
// expect: finding uninitialized
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int warps = threads / 32;
constexpr int blocks = 132 * 8;

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  __shared__ int mine[warps][labels];
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    atomicAdd(&mine[threadIdx.x / 32][votes[i].x], votes[i].y);
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
