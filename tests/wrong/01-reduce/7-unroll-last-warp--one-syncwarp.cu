// wrong: reduce/7-unroll-last-warp
// mistake: Since Volta the lanes of a warp need not run in lockstep, and neither volatile nor a single wait is enough: __syncwarp() after reading and again after writing.
// expect: finding race
constexpr int threads = 256;

/// One halving by one warp. The lanes read, wait for each other, write, and wait again.
__device__ void fold(float* s, unsigned lane, unsigned stride) {
  const float sum = s[lane] + s[lane + stride];
  s[lane] = sum;
  __syncwarp();  // ... and all lanes have written
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
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
  if (tid < 32) {  // one warp is left: no other has to wait for it
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
  reduce_kernel<<<(n + per_block - 1) / per_block, threads, threads * sizeof(float)>>>(in, partials, n);
}
