// unconventional: sync-bugs/5-warp-sums
// Rounds go from one array to the other, with one __syncwarp() each.
__global__ void k(const float* in, float* sums, int n) {
  __shared__ float s[2][256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, lane = t & 31;
  s[0][t] = i < n ? in[i] : 0.f;
  __syncwarp();
  int p = 0;
#pragma unroll
  for (int o = 16; o; o >>= 1, p ^= 1) {
    if (lane < o) s[p ^ 1][t] = s[p][t] + s[p][t + o];
    __syncwarp();
  }
  if (!lane && i < n) sums[i / 32] = s[p][t];
}
void warp_sums(const float* in, float* sums, int n) { if (n) k<<<(n + 255) / 256, 256>>>(in, sums, n); }
