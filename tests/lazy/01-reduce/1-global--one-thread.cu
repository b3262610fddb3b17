// lazy: reduce/1-global
// expect: gate time_us <= 1.25 * reference(self)
__global__ void reduce_kernel(float* data, float* partials) {
  volatile float* mine = data + blockIdx.x * 256;
  for (int i = 1; i < 256; ++i) mine[i] = mine[i] + mine[i - 1];
  partials[blockIdx.x] = mine[255];
}

void reduce(float* data, float* partials, int n) {
  if (n > 0) reduce_kernel<<<n / 256, 1>>>(data, partials);
}
