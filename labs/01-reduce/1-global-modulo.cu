// Sum of each 256 floats, halving in global memory, in place. (n is a multiple of 256 in this
// step.)
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  float* mine = data + blockIdx.x * blockDim.x;  // the block's own 256 elements

  // TODO: choose the threads in another way. First threads 0, 2, 4, ... each add the element at
  // distance 1. Then threads 0, 4, 8, ... add the one at distance 2, and so on. Use a remainder.
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
