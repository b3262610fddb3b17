// unconventional: reduce/10-finish-last-block
// The atomic that counts orders memory by itself, and starts again at zero.
__device__ unsigned ticket;
__global__ void k(const float* in, float* p, float* sum, int n) {
  __shared__ float s[256];
  __shared__ unsigned mine;
  const int t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * 2048 + t; i < min(n, (int(blockIdx.x) + 1) * 2048); i += 256) v += in[i];
  s[t] = v;
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) {
    p[blockIdx.x] = s[0];
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(mine)
                 : "l"(&ticket), "r"(gridDim.x - 1)
                 : "memory");
  }
  __syncthreads();
  if (mine != gridDim.x - 1) return;
  v = 0;
  for (int i = t; i < gridDim.x; i += 256) v += __ldcg(p + i);
  s[t] = v;
  for (int d = 128; d; d /= 2) {
    __syncthreads();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) *sum = s[0];
}
void reduce(const float* in, float* sum, int n) {
  const int b = n ? (n + 2047) / 2048 : 1;
  float* p;
  cudaMalloc(&p, b * 4);
  k<<<b, 256>>>(in, p, sum, n);
  cudaFree(p);
}
