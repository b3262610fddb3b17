// lazy: sync-bugs/7-normalise
// expect: gate launches + calls(cudaLaunchCooperativeKernel) + min(calls(cudaLaunchKernelEx), source(cudaLaunchAttributeCooperative)) >= 2
// Blocks of an ordinary launch wait for each other at a counter. They are resident only by chance.
__device__ float partials[256];
__device__ unsigned count;
__device__ float block_sum(float v) {
  __shared__ float s[8];
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < 8; ++w) v += s[w];
  __syncthreads();
  return v;
}
__global__ void k(const float* in, float* out, int n) {
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += in[i];
  v = block_sum(v);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = v;
    __threadfence();
    atomicAdd(&count, 1);
    while (atomicAdd(&count, 0) < gridDim.x) ;
    __threadfence();
  }
  __syncthreads();
  const float sum = block_sum(threadIdx.x < gridDim.x ? partials[threadIdx.x] : 0.f);
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) out[i] = in[i] / sum;
}
void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  unsigned* c; cudaGetSymbolAddress((void**)&c, count);
  cudaMemset(c, 0, 4);
  k<<<min(256, (n + 255) / 256), 256>>>(in, out, n);
}
