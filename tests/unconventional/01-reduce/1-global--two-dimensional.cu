// unconventional: reduce/1-global
// A two-dimensional grid of blocks of 32 x 8 threads.
__global__ void halve(float* data, float* partials) {
  const size_t block = size_t(blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  float* mine = data + block * 256;
  for (unsigned s = 128; s > 0; s >>= 1) {
    if (t < s) mine[t] = mine[t] + mine[t + s];
    __syncthreads();
  }
  if (!t) partials[block] = *mine;
}
void reduce(float* data, float* partials, int n) {
  const int blocks = n / 256;
  if (!blocks) return;
  int y = 1;
  while (blocks % (2 * y) == 0 && y < 64) y *= 2;
  halve<<<dim3(blocks / y, y), dim3(32, 8)>>>(data, partials);
}
