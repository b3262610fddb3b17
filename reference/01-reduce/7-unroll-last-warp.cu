// Sum of each 512 floats. One warp sums the last 64 and needs no block barrier.
// Bound by latency: each block loads once, and then waits at barriers. Seven of eight warps end
// early.
constexpr int threads = 256;

/// One halving by one warp. The lanes read, wait, write, and wait again.
__device__ void fold(float* s, unsigned lane, unsigned stride) {
  const float sum = s[lane] + s[lane + stride];
  __syncwarp();  // all lanes have read
  s[lane] = sum;
  __syncwarp();  // all lanes have written
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
  if (tid < 32) {  // one warp is left, so no other has to wait
    fold(s, tid, 32);
    fold(s, tid, 16);
    fold(s, tid, 8);
    fold(s, tid, 4);
    fold(s, tid, 2);
    fold(s, tid, 1);
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  const int blocks = (n + per_block - 1) / per_block;
  reduce_kernel<<<blocks, threads, threads * sizeof(float)>>>(in, partials, n);
}
