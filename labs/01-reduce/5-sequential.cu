// Sum of each 256 floats in shared memory: the first threads work, on words far apart.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch gives the size
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  // TODO: consecutive lanes read words far apart, and meet in the same bank. Choose the pairs so
  // that they read consecutive words.
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned left = 2 * stride * tid;  // the first threads work, on words far apart
    if (left < blockDim.x) s[left] += s[left + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
