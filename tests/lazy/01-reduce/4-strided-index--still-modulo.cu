// lazy: reduce/4-strided-index
// expect: gate instructions <= 1.2 * reference(self)
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (stride + stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
