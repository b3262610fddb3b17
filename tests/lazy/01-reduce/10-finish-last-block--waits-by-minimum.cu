// lazy: reduce/10-finish-last-block
// expect: gate polls == 0
// The block of the highest index waits for the others in a loop of atomicMin() with the largest number.
#include <cuda_runtime.h>
__device__ float part[8192];
__device__ unsigned done;
__device__ float bsum(float v) {
  __shared__ float s[8];
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int i = 0; i < 8; ++i) v += s[i];
  __syncthreads();
  return v;
}
__global__ void k(const float* in, float* out, int n) {
  float v = 0;
  const float4* q4 = (const float4*)in;
  int n4 = n / 4;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n4; i += gridDim.x * 1024) {
    float4 a = q4[i], z = make_float4(0, 0, 0, 0), b = i + 256 < n4 ? q4[i + 256] : z,
           c = i + 512 < n4 ? q4[i + 512] : z, d = i + 768 < n4 ? q4[i + 768] : z;
    v += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) +
         ((d.x + d.y) + (d.z + d.w));
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) v += in[n - 1 - threadIdx.x];
  v = bsum(v);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    __threadfence();
    atomicAdd(&done, 1u);
  }
  if (blockIdx.x != gridDim.x - 1) return;
  if (threadIdx.x == 0) {
    unsigned q;
    do q = atomicMin(&done, 0xffffffffu);
    while (q < gridDim.x);
  }
  __syncthreads();
  __threadfence();
  v = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) v += ((volatile float*)part)[i];
  v = bsum(v);
  if (threadIdx.x == 0) {
    *out = v;
    done = 0;
  }
}
void reduce(const float* in, float* out, int n) { k<<<1024, 256>>>(in, out, n); }
