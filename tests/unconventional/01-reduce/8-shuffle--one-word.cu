// unconventional: reduce/8-shuffle
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  const int i = blockIdx.x * 512 + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + 256 < n) sum += in[i + 256];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 511) / 512, 256>>>(in, partials, n);
}
