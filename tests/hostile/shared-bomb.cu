// expect: compile_error
// A gigabyte of shared memory. (The compiler leaves out an array that nothing reads.)
__global__ void shared(float* out) {
  __shared__ char s[1 << 30];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
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
