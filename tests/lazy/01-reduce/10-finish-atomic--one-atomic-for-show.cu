// lazy: reduce/10-finish-atomic
// expect: gate atomics >= 0.9 * blocks
// Two kernels with partial sums. The second one adds its total with the only atomic.
__global__ void parts(const float* in, float* p, int n) {
  __shared__ float s[8];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  float v = 0;
  for (int k = 0; k < 1024; k += 256) v += i + k < n ? in[i + k] : 0.0f;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) v += s[k];
    p[blockIdx.x] = v;
  }
}
__global__ void total(const float* p, int count, float* sum) {
  float v = 0;
  for (int i = threadIdx.x; i < count; i += 32) v += p[i];
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x == 0) atomicAdd(sum, v);
}
void reduce(const float* in, float* sum, int n) {
  cudaMemset(sum, 0, 4);
  if (!n) return;
  float* p;
  const int b = (n + 1023) / 1024;
  cudaMalloc(&p, b * 4);
  parts<<<b, 256>>>(in, p, n);
  total<<<1, 32>>>(p, b, sum);
  cudaFree(p);
}
