// wrong: reduce/2-shared
// mistake: n / threads + 1 is one block too many where n is a multiple of threads: it stores a partial sum past the end.
// expect: finding out_of_bounds
// Sum of each 256 floats in shared memory; a remainder tells which threads add.
// Bound by instruction issue: a remainder is some twenty instructions, in every warp and round.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[threads];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads) / threads, threads>>>(in, partials, n);
}
