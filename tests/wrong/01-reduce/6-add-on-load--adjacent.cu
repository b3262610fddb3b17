// wrong: reduce/6-add-on-load
// mistake: Two adjacent elements per thread, 2 * i and 2 * i + 1: right, but each request then touches twice the sectors. Take the second element blockDim.x further on.
// expect: gate_failed gate global_load_sectors <= n / 8 + 4
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  extern __shared__ float s[];  // one float per thread; the launch says how many bytes
  const unsigned tid = threadIdx.x;
  const int i = 2 * (blockIdx.x * blockDim.x + tid);
  float sum = i < n ? in[i] : 0.0f;
  if (i + 1 < n) sum += in[i + 1];  // the first addition, on the way in
  s[tid] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];  // consecutive lanes read consecutive words
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  reduce_kernel<<<(n + per_block - 1) / per_block, threads, threads * sizeof(float)>>>(in, partials, n);
}
