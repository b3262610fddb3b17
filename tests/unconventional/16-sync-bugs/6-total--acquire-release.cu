// unconventional: sync-bugs/6-total
// The atomic that counts orders memory by itself, and starts again at zero.
__device__ float parts[1 << 16];
__device__ unsigned ticket;
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[8];
  __shared__ unsigned old;
  auto add = [&](float v) {
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  };
  float v = 0;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < min(n, (int(blockIdx.x) + 1) * 1024); i += 256)
    v += in[i];
  v = add(v);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = v;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(&ticket), "r"(gridDim.x - 1)
                 : "memory");
  }
  __syncthreads();
  if (old != gridDim.x - 1) return;
  v = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) v += __ldcg(parts + i);
  v = add(v);
  if (threadIdx.x == 0) *out = v;
}
void total(const float* in, float* out, int n) { k<<<max(1, (n + 1023) / 1024), 256>>>(in, out, n); }
