// expect: timeout
// Barriers that part of the block never reaches.
__global__ void k(const float* in, float* partials, int n) {
  if (threadIdx.x < 3) __syncthreads(); else for (;;) __syncthreads();
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}