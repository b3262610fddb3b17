// unconventional: sync-bugs/7-normalise
// Blocks add their sums to one total by atomics; float4 loads; 1024 threads.
__device__ float whole;

__global__ void sum_kernel(const float* in, int n) {
  float v = 0;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n / 4) {
    const float4 f = reinterpret_cast<const float4*>(in)[t];
    v = (f.x + f.y) + (f.z + f.w);
  }
  if (t < n % 4) v += in[n / 4 * 4 + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  __shared__ float s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&s, v);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&whole, s);
}

__global__ void divide_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = whole;
  if (i < n) out[i] = __fdividef(in[i], sum);
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  void* p;
  cudaGetSymbolAddress(&p, whole);
  cudaMemset(p, 0, sizeof(float));
  sum_kernel<<<(n + 2047) / 2048, 512>>>(in, n);
  divide_kernel<<<(n + 511) / 512, 512>>>(in, out, n);
}
