// unconventional: scan/10-redux
// A block per group and a thread per int: one instruction per warp, then four words.
__global__ void k(const int* in, int* counts, int n) {
  __shared__ int s[4];
  int i = blockIdx.x * 128 + threadIdx.x;
  int c = __reduce_add_sync(~0u, i < n && in[i] > 0);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = c;
  __syncthreads();
  if (!threadIdx.x) counts[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}
void count_groups(const int* in, int* counts, int n) {
  if (n) k<<<(n + 127) / 128, 128>>>(in, counts, n);
}
