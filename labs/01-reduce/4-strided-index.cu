// Sum of each 256 floats in shared memory; a remainder tells which threads add.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch gives the size
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    // TODO: the remainder is slow, and it leaves lanes idle in every warp. Let the first threads
    // work, each on a pair of its own.
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
