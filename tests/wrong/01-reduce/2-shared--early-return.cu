// wrong: reduce/2-shared
// mistake: A thread without an element returned before the barriers, and left its word in shared memory unwritten. All threads of a block must reach __syncthreads(); only the load depends on n.
// expect: finding
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[threads];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (i >= n) return;
  s[tid] = in[i];
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
