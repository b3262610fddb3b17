// lazy: clusters/3-sum
// expect: gate atomics - shared_atomics <= 0.26 * blocks
// Few blocks take many floats each. That saves additions, but each block still adds by itself.
constexpr int threads = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float of_warp[threads / 32];
  float x = 0.0f;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) x += in[i];
  for (int offset = 16; offset > 0; offset /= 2) x += __shfl_xor_sync(0xffffffff, x, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0.0f;
  if (threadIdx.x == 0) {
    for (int w = 0; w < threads / 32; ++w) sum += of_warp[w];
    atomicAdd(out, sum);
  }
}

void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  sum_kernel<<<min(528, (n + threads - 1) / threads), threads>>>(in, out, n);
}
