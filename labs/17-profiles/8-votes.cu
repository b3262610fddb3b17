// Weighted votes for 8 labels: vote i is the pair votes[2 i] (label), votes[2 i + 1] (weight).
constexpr int threads = 256;
constexpr int labels = 8;

__global__ void votes_kernel(const int* votes, int* sums, int n) {
  // TODO: read the profile, and remove what limits this kernel.
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int label = votes[2 * i];
  const int weight = votes[2 * i + 1];
  atomicAdd(&sums[label], weight);
}

void votes(const int* pairs, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<(n + threads - 1) / threads, threads>>>(pairs, sums, n);
}
