// wrong: reduce/2-shared
// mistake: A thread adds an element that another thread has not loaded yet. A __syncthreads() belongs between loading and adding.
// expect: finding race line 13
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[threads];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
