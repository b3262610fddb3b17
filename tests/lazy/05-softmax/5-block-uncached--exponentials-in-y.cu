// lazy: softmax/5-block-uncached
// expect: gate global_store_sectors * 32 <= 1.02 * 2 * d
// The second pass stores the exponentials in y, and the third one reads them from there.
#include <cuda_fp16.h>
// exponentials kept in y
__global__ void softmax_kernel(const half* x, half* y, int cols) {
  __shared__ float words[32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  float s = 0, m = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += 1024) m = fmaxf(m, __half2float(in[c]));
  for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = m;
  __syncthreads();
  m = words[threadIdx.x % 32];
  for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += 1024) {
    float e = __expf(__half2float(in[c]) - m);
    s += e;
    out[c] = __float2half(e);
  }
  for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = s;
  __syncthreads();
  s = words[threadIdx.x % 32];
  for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  for (int c = threadIdx.x; c < cols; c += 1024) out[c] = __float2half(__half2float(out[c]) / s);
}
void softmax(const half* x, half* y, int rows, int cols) {
  if (rows && cols) softmax_kernel<<<rows, 1024>>>(x, y, cols);
}
