// lazy: reduce/8-shuffle
// expect: gate shared_stores <= n / 64 + 8
// One thread does the work of its block.
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];
  const int first = blockIdx.x * 512;
  for (int i = threadIdx.x; i < 512; i += blockDim.x) s[i] = first + i < n ? in[first + i] : 0.0f;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (int i = 0; i < 512; ++i) sum += s[i];
  partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 512 - 1) / 512, 256, 512 * sizeof(float)>>>(in, partials, n);
}
