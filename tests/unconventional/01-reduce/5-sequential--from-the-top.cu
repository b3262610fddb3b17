// unconventional: reduce/5-sequential
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 256 + tid;
  s[255 - tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half != 0; half >>= 1) {
    if (tid < half) s[tid] = s[tid + half] + s[tid];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = *s;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 255) / 256, 256>>>(in, partials, n);
}
