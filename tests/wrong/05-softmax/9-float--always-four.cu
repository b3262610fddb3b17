// wrong: softmax/9-float
// mistake: Rows are loaded as float4 whatever their length: a row of 333 columns does not start on 16 bytes.
// expect: finding misaligned
#include <cuda_fp16.h>
__device__ float warp_max(float m) {
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  return m;
}
__device__ float warp_sum(float m) {
  for (int d = 16; d > 0; d /= 2) m += __shfl_xor_sync(~0u, m, d);
  return m;
}

template <bool WIDE>
__global__ void softmax_kernel(const float* x, float* y, int rows, int cols) {
  const int lane = threadIdx.x % 32;
  for (int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; row < rows;
       row += gridDim.x * (blockDim.x / 32)) {
    const float* in = x + size_t(row) * cols;
    float* out = y + size_t(row) * cols;
    float v[32];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (WIDE) {
        float4 p = *(const float4*)(in + min(4 * (lane + 32 * i), cols - 4));
        v[4 * i] = p.x;
        v[4 * i + 1] = p.y;
        v[4 * i + 2] = p.z;
        v[4 * i + 3] = p.w;
      } else
        for (int j = 0; j < 4; ++j) v[4 * i + j] = in[min(4 * (lane + 32 * i) + j, cols - 1)];
    }
    float m = -INFINITY;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (4 * (lane + 32 * (i / 4)) + i % 4 >= cols) v[i] = -INFINITY;
      m = fmaxf(m, v[i]);
    }
    m = warp_max(m);
    float s = 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      v[i] = __expf(v[i] - m);
      s += 4 * (lane + 32 * (i / 4)) + i % 4 < cols ? v[i] : 0.0f;
    }
    s = 1 / warp_sum(s);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      int c = 4 * (lane + 32 * i);
      if (WIDE) {
        if (c < cols)
          *(float4*)(out + c) =
              make_float4(v[4 * i] * s, v[4 * i + 1] * s, v[4 * i + 2] * s, v[4 * i + 3] * s);
      } else
        for (int j = 0; j < 4; ++j)
          if (c + j < cols) out[c + j] = v[4 * i + j] * s;
    }
  }
}
void softmax(const float* x, float* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (true)
    softmax_kernel<true><<<(rows + 3) / 4, 128>>>(x, y, rows, cols);
  else
    softmax_kernel<false><<<(rows + 3) / 4, 128>>>(x, y, rows, cols);
}
