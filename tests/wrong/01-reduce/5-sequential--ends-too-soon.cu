// wrong: reduce/5-sequential
// mistake: stride > 1 leaves out the last round: s[0] and s[1] still have to be added.
// expect: wrong
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 1; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // consecutive lanes read consecutive words
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
