// Sum of each 512 floats. One warp sums the last 64 and needs no block barrier.
constexpr int threads = 256;

/// The last warp on its own, in the style of 2010: the lanes of a warp ran in lockstep then.
// TODO: since Volta they do not. A lane may read before another has written, or after it has
// written again. Make each halving safe.
__device__ void last_warp(volatile float* s, unsigned lane) {
  s[lane] += s[lane + 32];
  s[lane] += s[lane + 16];
  s[lane] += s[lane + 8];
  s[lane] += s[lane + 4];
  s[lane] += s[lane + 2];
  s[lane] += s[lane + 1];
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch gives the size
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];  // the first addition, before shared memory
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid < 32) last_warp(s, tid);  // one warp is left, so no other has to wait
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  const int blocks = (n + per_block - 1) / per_block;
  reduce_kernel<<<blocks, threads, threads * sizeof(float)>>>(in, partials, n);
}
