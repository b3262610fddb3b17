// lazy: profiles/8-votes
// expect: gate time_us <= 1.6 * reference(self)
// The other limiter: label and weight in one load, and as many atomics.
constexpr int threads = 256;
constexpr int labels = 8;

__global__ void votes_kernel(const int* votes, int* sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int2 vote = ((const int2*)votes)[i];
  atomicAdd(&sums[vote.x], vote.y);
}

void votes(const int* votes, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  votes_kernel<<<(n + threads - 1) / threads, threads>>>(votes, sums, n);
}
