// lazy: reduce/6-add-on-load
// expect: gate instructions <= 0.56 * reference(previous)
__device__ float block_sum(float* s, float value) {
  s[threadIdx.x] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  const float sum = s[0];
  __syncthreads();
  return sum;
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 512 + threadIdx.x;
  const float first = block_sum(s, i < n ? in[i] : 0.0f);
  const float second = block_sum(s, i + 256 < n ? in[i + 256] : 0.0f);
  if (threadIdx.x == 0) partials[blockIdx.x] = first + second;
}

void reduce(const float* in, float* partials, int n) {
  if (n > 0) reduce_kernel<<<(n + 511) / 512, 256>>>(in, partials, n);
}
