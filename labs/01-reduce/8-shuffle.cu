// Sum of each 512 floats through shared memory; one warp sums the last 64.
constexpr int threads = 256;

/// One halving by one warp. The lanes read, wait, write, and wait again.
__device__ void fold(float* s, unsigned lane, unsigned stride) {
  const float sum = s[lane] + s[lane + stride];
  __syncwarp();  // all lanes have read
  s[lane] = sum;
  __syncwarp();  // all lanes have written
}

// TODO: lanes can exchange registers: __shfl_xor_sync(0xffffffff, value, offset) is the value of
// the lane whose number differs in the bit `offset`. Sum each warp that way, and put one word per
// warp into shared memory. Wait, and sum those few words the same way. Nothing else needs shared
// memory then.
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
