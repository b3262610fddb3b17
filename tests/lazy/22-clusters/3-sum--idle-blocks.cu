// lazy: clusters/3-sum
// expect: gate cluster_lane_bytes >= 2 * blocks
// Three of four blocks have no work, so that few of them add. No block reads another one's sum.
constexpr int threads = 1024;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float of_warp[threads / 32];
  if (blockIdx.x % 4 != 0) return;
  const int i = blockIdx.x / 4 * threads + threadIdx.x;
  float x = i < n ? in[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  x = of_warp[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x == 0) atomicAdd(out, x);
}

void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<4 * ((n + threads - 1) / threads), threads>>>(in, out, n);
}
