// wrong: reduce/1-global
// mistake: The sums are right, but they were made in shared memory. This step is about what global memory costs: add in data itself.
// expect: gate_failed gate shared_stores == 0
constexpr int threads = 256;

__global__ void reduce_kernel(float* data, float* partials, int n) {
  __shared__ float s[threads];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? data[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(float* data, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(data, partials, n);
}
