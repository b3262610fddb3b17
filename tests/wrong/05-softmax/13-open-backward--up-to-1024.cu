// wrong: softmax/13-open-backward
// mistake: A warp holds 1024 columns at most. Those behind are never read or written.
// expect: wrong
#include <cuda_fp16.h>
__global__ void backward_kernel(const half* y, const half* dy, half* dx, int rows, int cols) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const size_t first = size_t(row) * cols;
  if (cols % 8 == 0) {
    uint4 a[4], b[4];
    const int packs = cols / 8;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int p = min(lane + 32 * i, packs - 1);
      a[i] = reinterpret_cast<const uint4*>(y + first)[p];
      b[i] = reinterpret_cast<const uint4*>(dy + first)[p];
    }
    float dot = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (lane + 32 * i < packs)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float2 u = __half22float2(reinterpret_cast<half2*>(&a[i])[j]),
                       v = __half22float2(reinterpret_cast<half2*>(&b[i])[j]);
          dot += u.x * v.x + u.y * v.y;
        }
    for (int d = 16; d; d /= 2) dot += __shfl_xor_sync(~0u, dot, d);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (lane + 32 * i < packs) {
        uint4 r;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float2 u = __half22float2(reinterpret_cast<half2*>(&a[i])[j]),
                       v = __half22float2(reinterpret_cast<half2*>(&b[i])[j]);
          reinterpret_cast<half2*>(&r)[j] = __floats2half2_rn(u.x * (v.x - dot), u.y * (v.y - dot));
        }
        reinterpret_cast<uint4*>(dx + first)[lane + 32 * i] = r;
      }
    return;
  }
  float dot = 0;
  for (int c = lane; c < min(cols, 1024); c += 32)
    dot += __half2float(y[first + c]) * __half2float(dy[first + c]);
  for (int d = 16; d; d /= 2) dot += __shfl_xor_sync(~0u, dot, d);
  for (int c = lane; c < min(cols, 1024); c += 32)
    dx[first + c] = __float2half(__half2float(y[first + c]) * (__half2float(dy[first + c]) - dot));
}
void softmax_backward(const half* y, const half* dy, half* dx, int rows, int cols) {
  if (rows && cols) backward_kernel<<<(rows + 3) / 4, 128>>>(y, dy, dx, rows, cols);
}
