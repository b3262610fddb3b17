// lazy: reduce/10-finish-last-block
// expect: gate polls == 0
// Block 0 waits until all others have counted.
constexpr int threads = 256;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int i = 0; i < threads / 32; ++i) value += s[i];
  return value;
}

__device__ float sum_of_four(const float* in, int first, int n) {
  if (first + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(in + first);
    return (v.x + v.y) + (v.z + v.w);
  }
  float sum = 0.0f;
  for (int i = first; i < n; ++i) sum += in[i];
  return sum;
}

__global__ void reduce_kernel(const float* in, float* partials, unsigned* done, float* sum, int n) {
  const float value = block_sum(sum_of_four(in, 4 * (blockIdx.x * threads + threadIdx.x), n));
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();
    atomicAdd(done, 1u);
    if (blockIdx.x == 0) {
      while (*(volatile unsigned*)done < gridDim.x) {}
      __threadfence();
    }
  }
  if (blockIdx.x != 0) return;
  __syncthreads();
  float all = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += threads) all += ((volatile float*)partials)[i];
  all = block_sum(all);
  if (threadIdx.x == 0) *sum = all;
}

void reduce(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + 4 * threads - 1) / (4 * threads) : 1;
  float* partials;
  unsigned* done;
  cudaMalloc(&partials, blocks * sizeof(float));
  cudaMalloc(&done, sizeof(unsigned));
  cudaMemset(done, 0, sizeof(unsigned));
  reduce_kernel<<<blocks, threads>>>(in, partials, done, sum, n);
  cudaFree(partials);
  cudaFree(done);
}
