// wrong: reduce/1-global-modulo
// mistake: Warps of a block run at their own pace. Without __syncthreads() at the end of a round, a thread may add an element that is not ready.
// expect: finding race line 11
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  float* mine = data + blockIdx.x * blockDim.x;  // the block's own 256 elements

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) mine[tid] += mine[tid + stride];
  }
  if (tid == 0) partials[blockIdx.x] = mine[0];
}

void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<n / threads, threads>>>(data, partials);
}
