// unconventional: reduce/1-global-modulo
// A mask instead of a remainder; each thread keeps its own sum in a register.
__global__ void k(float* data, float* partials) {
  const unsigned t = threadIdx.x;
  float* mine = data + blockIdx.x * 256;
  float own = mine[t];
  for (unsigned s = 1; s < 256; s <<= 1) {
    if ((t & (2 * s - 1)) == 0) { own += mine[t + s]; mine[t] = own; }
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = own;
}
void reduce(float* data, float* partials, int n) {
  if (n) k<<<n / 256, 256>>>(data, partials);
}
