// lazy: reduce/2-shared
// expect: gate shared_loads >= n / 256
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int first = blockIdx.x * 256 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += first + 32 * k < n ? in[first + 32 * k] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 255) / 256, 32>>>(in, partials, n);
}
