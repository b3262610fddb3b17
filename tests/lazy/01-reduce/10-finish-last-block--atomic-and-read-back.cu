// lazy: reduce/10-finish-last-block
// expect: gate ptx(atom.f32) + ptx(red.f32) == 0
// Atomics add the sums. Each block stores its partial sum and reads it back, for show.
__global__ void k(const float* in, float* p, float* sum, int n) {
  __shared__ float s[8];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  float v = 0;
  for (int k = 0; k < 1024; k += 256) v += i + k < n ? in[i + k] : 0.0f;
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) v += s[k];
    ((volatile float*)p)[blockIdx.x] = v;
    atomicAdd(sum, ((volatile float*)p)[blockIdx.x]);
  }
}
void reduce(const float* in, float* sum, int n) {
  cudaMemset(sum, 0, 4);
  if (!n) return;
  float* p;
  const int b = (n + 1023) / 1024;
  cudaMalloc(&p, b * 4);
  k<<<b, 256>>>(in, p, sum, n);
  cudaFree(p);
}
