// unconventional: reduce/4-strided-index
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * 256 + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  unsigned pairs = 128;
  for (unsigned stride = 1; pairs > 0; stride <<= 1, pairs >>= 1) {
    if (tid < pairs) {
      const unsigned left = (tid << 1) * stride;
      s[left] = s[left] + s[left + stride];
    }
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 255) / 256, 256>>>(in, partials, n);
}
