// unconventional: reduce/6-add-on-load
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[128];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) {
    const int i = blockIdx.x * 512 + k * 128 + tid;
    if (i < n) sum += in[i];
  }
  s[tid] = sum;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 511) / 512, 128>>>(in, partials, n);
}
