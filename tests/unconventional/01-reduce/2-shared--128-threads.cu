// unconventional: reduce/2-shared
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * 256;
  s[tid] = first + tid < n ? in[first + tid] : 0.0f;
  s[tid + 128] = first + tid + 128 < n ? in[first + tid + 128] : 0.0f;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 255) / 256, 128>>>(in, partials, n);
}
