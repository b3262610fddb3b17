// lazy: sync-bugs/5-warp-sums
// expect: gate lanes_per_instruction >= 12
// Lane 0 adds up the 32 floats of its warp: there are no rounds, and so nothing to order.
__global__ void k(const float* in, float* sums, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncwarp();
  if (threadIdx.x % 32 == 0 && i < n) { float x = 0; for (int j = 0; j < 32; ++j) x += s[threadIdx.x + j]; sums[i / 32] = x; }
}
void warp_sums(const float* in, float* sums, int n) { if (n) k<<<(n + 255) / 256, 256>>>(in, sums, n); }
