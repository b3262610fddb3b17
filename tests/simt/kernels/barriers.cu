// A barrier of all blocks by one counter, several times.
__global__ void barriers(unsigned* arrived, int rounds) {
  for (int r = 1; r <= rounds; ++r) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*(volatile unsigned*)arrived < r * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
