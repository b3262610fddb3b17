// lazy: reduce/4-strided-index
// expect: gate shared_load_wavefronts - shared_load_conflicts <= n / 8
// A mask instead of the remainder: cheaper, and every warp still has idle lanes in every round.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if ((tid & (2 * stride - 1)) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);
}
