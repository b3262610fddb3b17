// unconventional: profiles/8-votes
// A column of words per lane in shared memory; then a warp per label adds them up.
__global__ void k(const int2* __restrict__ votes, int* sums, int n) {
  __shared__ int s[8][32 + 1];
  for (int j = threadIdx.x; j < 8 * 33; j += blockDim.x) (&s[0][0])[j] = 0;
  __syncthreads();
  const int lane = threadIdx.x & 31;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const int2 v = votes[i]; atomicAdd(&s[v.x][lane], v.y); }
  __syncthreads();
  const int w = threadIdx.x >> 5;
  if (w < 8) {
    int v = s[w][lane];
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if (lane == 0) atomicAdd(&sums[w], v);
  }
}
void votes(const int* v, int* sums, int n) {
  cudaMemsetAsync(sums, 0, 32);
  if (n) k<<<528, 256>>>((const int2*)v, sums, n);
}
