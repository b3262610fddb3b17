// wrong: reduce/7-unroll-last-warp
// mistake: __syncwarp() waits for one warp; __syncthreads() in its place waits for all eight of them, in six rounds more.
// expect: gate_failed gate barriers <= 0.34 * reference(previous)
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];  // the first addition, on the way in
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // as in step 6
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  reduce_kernel<<<(n + per_block - 1) / per_block, threads, threads * sizeof(float)>>>(in, partials, n);
}
