// lazy: reduce/1-global-modulo
// expect: gate global_loads >= 50 * n / 256
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  float* mine = data + blockIdx.x * blockDim.x;  // the block's own 256 elements

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) mine[tid] += mine[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = mine[0];
}

void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<n / threads, threads>>>(data, partials);
}
