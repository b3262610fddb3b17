// lazy: profiles/1-gain
// expect: gate global_sectors <= 0.35 * n
// Loads are coalesced through shared memory, stores are not.
constexpr int threads = 256;
constexpr int per_thread = 8;
constexpr int per_block = threads * per_thread;

__global__ void gain_kernel(const float* in, float* out, int n) {
  __shared__ float tile[per_block];
  const int first = blockIdx.x * per_block;
  for (int k = threadIdx.x; k < per_block; k += threads)
    tile[k] = first + k < n ? in[first + k] : 0;
  __syncthreads();
  for (int k = 0; k < per_thread; ++k) {
    const int i = threadIdx.x * per_thread + k;
    if (first + i < n) out[first + i] = 0.5f * tile[i] + 1.0f;
  }
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  gain_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
