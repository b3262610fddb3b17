// lazy: profiles/8-votes
// expect: gate global_atomic_lane_bytes <= n / 16
// Each warp adds its eight sums to the GPU's.
constexpr int threads = 256;
constexpr int labels = 8;

__global__ void votes_kernel(const int* votes, int* sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const int label = i < n ? votes[2 * i] : 0;
  const int weight = i < n ? votes[2 * i + 1] : 0;
  for (int c = 0; c < labels; ++c) {
    int sum = label == c ? weight : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(&sums[c], sum);
  }
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<(n + threads - 1) / threads, threads>>>(votes, sums, n);
}
