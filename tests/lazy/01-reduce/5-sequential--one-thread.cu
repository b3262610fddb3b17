// lazy: reduce/5-sequential
// expect: gate time_us <= 0.9 * reference(previous)
// One thread does the work of its block.
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];
  const int first = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = first + i < n ? in[first + i] : 0.0f;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (int i = 0; i < 256; ++i) sum += s[i];
  partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 256 - 1) / 256, 256, 256 * sizeof(float)>>>(in, partials, n);
}
