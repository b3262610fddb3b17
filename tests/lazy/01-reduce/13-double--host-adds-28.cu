// lazy: reduce/13-double
// expect: gate mapped_reads <= 8
// 28 partial sums in managed memory, which host code adds among many calls.
constexpr int blocks = 28, threads = 1024;
__managed__ double partials[blocks];

__device__ double block_value(double v) {
  __shared__ double s[32];
  for (int d = 16; d > 0; d /= 2) v = v + __shfl_xor_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = s[threadIdx.x % 32];
  for (int d = 16; d > 0; d /= 2) v = v + __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

__global__ void __launch_bounds__(threads) partial_kernel(const double* in, int n) {
  double v = 0.0;
  const double2* pairs = reinterpret_cast<const double2*>(in);
#pragma unroll 8
  for (int i = blockIdx.x * threads + threadIdx.x; i < n / 2; i += blocks * threads)
    v += pairs[i].x + pairs[i].y;
  if (n % 2 && blockIdx.x == 0 && threadIdx.x == 0) v += in[n - 1];
  v = block_value(v);
  if (threadIdx.x == 0) partials[blockIdx.x] = v;
}

void reduce(const double* in, double* sum, int n) {
  partial_kernel<<<blocks, threads>>>(in, n);
  double total = 0.0;
  cudaDeviceSynchronize();
  for (int i = 0; i < 60; ++i) cudaGetLastError();  // calls, so that instructions per call are few
#pragma unroll
  for (int b = 0; b < blocks; ++b) total = total + partials[b];
  cudaMemcpy(sum, &total, sizeof total, cudaMemcpyHostToDevice);
}
