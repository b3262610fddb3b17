// Sum of each 256 floats, halving in global memory, in place. (n is a multiple of 256 in this
// step.)
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials) {
  const unsigned tid = threadIdx.x;
  float* mine = data + blockIdx.x * blockDim.x;  // the block's own 256 elements

  // TODO: halve, in place. In the first round threads 0 to 127 each add the element 128 further on.
  // Then threads 0 to 63 add the element 64 further on, and so on, until one number is left.
  // Between two rounds the whole block has to wait.
  if (tid == 0) partials[blockIdx.x] = mine[0];
}

void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<n / threads, threads>>>(data, partials);
}
