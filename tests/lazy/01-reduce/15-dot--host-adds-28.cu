// lazy: reduce/15-dot
// expect: gate mapped_reads <= 8
// 28 partial sums in managed memory, which host code adds among many calls.
constexpr int blocks = 28, threads = 1024;
__managed__ float partials[blocks];

__device__ float block_value(float v) {
  __shared__ float s[32];
  for (int d = 16; d > 0; d /= 2) v = v + __shfl_xor_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = s[threadIdx.x % 32];
  for (int d = 16; d > 0; d /= 2) v = v + __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

__global__ void __launch_bounds__(threads) partial_kernel(const float* a, const float* b, int n) {
  float v = 0.0f;
  const float4 *p = reinterpret_cast<const float4*>(a), *q = reinterpret_cast<const float4*>(b);
#pragma unroll 4
  for (int i = blockIdx.x * threads + threadIdx.x; i < n / 4; i += blocks * threads) {
    const float4 u = p[i], w = q[i];
    v += (u.x * w.x + u.y * w.y) + (u.z * w.z + u.w * w.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) v += a[n / 4 * 4 + threadIdx.x] * b[n / 4 * 4 + threadIdx.x];
  v = block_value(v);
  if (threadIdx.x == 0) partials[blockIdx.x] = v;
}

void dot(const float* a, const float* b, float* sum, int n) {
  partial_kernel<<<blocks, threads>>>(a, b, n);
  float total = 0.0f;
  cudaDeviceSynchronize();
  for (int i = 0; i < 60; ++i) cudaGetLastError();  // calls, so that instructions per call are few
#pragma unroll
  for (int b = 0; b < blocks; ++b) total = total + partials[b];
  cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
}
