// lazy: sync-bugs/7-normalise
// expect: gate launches + calls(cudaLaunchCooperativeKernel) + min(calls(cudaLaunchKernelEx), source(cudaLaunchAttributeCooperative)) >= 2
// An own grid barrier in an ordinary launch, by cudaLaunchKernelEx without the cooperative attribute.
constexpr int threads = 256, blocks = 256;
__device__ float partials[blocks];
__device__ unsigned arrived;
__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  __syncthreads();
  return value;
}
__global__ void normalise_kernel(const float* in, float* out, int n) {
  float value = 0.0f;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) value += in[i];
  value = block_sum(value);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned*)&arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  const float sum = block_sum(threadIdx.x < gridDim.x ? partials[threadIdx.x] : 0.0f);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) out[i] = in[i] / sum;
}
void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  unsigned zero = 0;
  cudaMemcpyToSymbol(arrived, &zero, sizeof zero);
  cudaLaunchConfig_t config = {};
  config.gridDim = min(blocks, (n + threads - 1) / threads);
  config.blockDim = threads;
  cudaLaunchKernelEx(&config, normalise_kernel, in, out, n);
}
