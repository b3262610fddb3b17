// expect: pass
// A loop unrolled a hundred thousand times, nested.
__global__ void unrolled(float* p) {
  float x = p[0];
#pragma unroll
  for (int i = 0; i < 4000; ++i)
#pragma unroll
    for (int j = 0; j < 4000; ++j) x = x * p[i] + p[j] + sinf(x);
  p[1] = x;
}
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
void reduce(const float* in, float* partials, int n) { reduce_kernel<<<(n + 255) / 256, 256>>>(in, partials, n); }
