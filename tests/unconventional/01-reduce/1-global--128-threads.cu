// unconventional: reduce/1-global
__global__ void reduce_kernel(float* data, float* partials) {
  float* mine = data + blockIdx.x * 256;
  for (int stride = 128; stride >= 1; stride >>= 1) {
    if (threadIdx.x < stride) mine[threadIdx.x] = mine[threadIdx.x] + mine[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = mine[0];
}

void reduce(float* data, float* partials, int n) {
  if (n > 0) reduce_kernel<<<n / 256, 128>>>(data, partials);
}
