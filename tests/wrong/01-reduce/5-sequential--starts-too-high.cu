// wrong: reduce/5-sequential
// mistake: Starting with the whole block as stride, thread 0 reads s[256], past the end. The first stride is half of the block.
// expect: finding out_of_bounds line 14
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // consecutive lanes read consecutive words
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
