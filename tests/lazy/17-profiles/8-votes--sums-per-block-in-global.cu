// lazy: profiles/8-votes
// expect: gate global_atomic_lane_bytes <= n / 16
// Each block has sums of its own in global memory: every vote is still an atomic there.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int warps = threads / 32;
constexpr int blocks = 132 * 4;

__device__ int parts[blocks * labels];
__device__ void add(int* to, int what) {
  int old;
  asm volatile("atom.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(to), "r"(what) : "memory");
}

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  int* const mine = parts + blockIdx.x * labels;
  if (threadIdx.x < labels) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    add(&mine[votes[i].x], votes[i].y);
  __syncthreads();
  if (threadIdx.x < labels) atomicAdd(&sums[threadIdx.x], atomicAdd(&mine[threadIdx.x], 0));
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<blocks, threads>>>((const int2*)votes, sums, n);
}
