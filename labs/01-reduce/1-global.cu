// Sum of each block's 256 floats, halving in global memory, in place. (n is a multiple of 256 in this step.)
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  float* mine = data + blockIdx.x * blockDim.x;  // the block's own 256 elements

  // TODO: halve, in place. In the first round threads 0, 2, 4, ... each add the neighbour at distance 1; then
  // threads 0, 4, 8, ... the one at distance 2; then 4, 8, ..., until one number is left. Between two rounds
  // the whole block has to wait.
  if (tid == 0) partials[blockIdx.x] = mine[0];
}

void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<n / threads, threads>>>(data, partials);
}
