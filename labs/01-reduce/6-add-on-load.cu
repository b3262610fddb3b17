// Sum of each 512 floats, with 256 threads.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch gives the size
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = i < n ? in[i] : 0.0f;
  // TODO: there are half as many blocks as before, and each has 512 elements. Add this thread's
  // second element, if it exists.
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // consecutive threads, consecutive words
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  const int blocks = (n + per_block - 1) / per_block;
  reduce_kernel<<<blocks, threads, threads * sizeof(float)>>>(in, partials, n);
}
