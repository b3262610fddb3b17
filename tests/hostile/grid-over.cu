// expect: finding
// One block more than a grid may have.
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) { reduce_kernel<<<2147483648u, 256>>>(in, partials, n); }
