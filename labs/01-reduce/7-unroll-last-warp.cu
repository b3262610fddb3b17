// Sum of 512 floats a block; the last 64 are summed by one warp, which needs no barrier of the block.
constexpr int threads = 256;

/// The last warp on its own, as everybody wrote it in 2010: the lanes of a warp went in lockstep then.
// TODO: since Volta they don't. A lane may read before its neighbour has written, or after it has written
// again. Make each halving two steps, read and write, with a __syncwarp() after each.
__device__ void last_warp(volatile float* s, unsigned lane) {
  s[lane] += s[lane + 32];
  s[lane] += s[lane + 16];
  s[lane] += s[lane + 8];
  s[lane] += s[lane + 4];
  s[lane] += s[lane + 2];
  s[lane] += s[lane + 1];
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float a thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];  // the first addition, on the way in
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid < 32) last_warp(s, tid);  // one warp is left: no other has to wait for it
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  reduce_kernel<<<(n + per_block - 1) / per_block, threads, threads * sizeof(float)>>>(in, partials, n);
}
