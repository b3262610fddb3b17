// wrong: reduce/6-add-on-load
// mistake: One block too many where n is a multiple of the elements per block: it stores a partial sum past the end.
// expect: finding out_of_bounds
// Sum of each 512 floats: each thread adds two before it stores to shared memory.
// Bound by instruction issue and barriers still, at half the cost per element.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch gives the size
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * (2 * blockDim.x) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];  // the first addition, before shared memory
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // consecutive threads, consecutive words
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  const int blocks = (n + per_block) / per_block;
  reduce_kernel<<<blocks, threads, threads * sizeof(float)>>>(in, partials, n);
}
