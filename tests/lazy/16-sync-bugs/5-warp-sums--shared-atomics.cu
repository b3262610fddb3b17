// lazy: sync-bugs/5-warp-sums
// expect: gate shared_atomics == 0
// Each lane adds its float to the warp's word, by an atomic. There are no rounds.
__global__ void k(const float* in, float* sums, int n) {
  __shared__ float s[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&s[threadIdx.x / 32], in[i]);
  __syncwarp();
  if (threadIdx.x % 32 == 0 && i < n) sums[i / 32] = s[threadIdx.x / 32];
}
void warp_sums(const float* in, float* sums, int n) { if (n) k<<<(n + 255) / 256, 256>>>(in, sums, n); }
