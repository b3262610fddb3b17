// unconventional: matmul/12-int4
// Two weights at once become halves 1024 + w, from which 1032 is subtracted.
constexpr int threads = 128;

#include <cuda_fp16.h>
__global__ void gemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
                     int cols) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols / 8; c += 32) {
    const unsigned q = packed[size_t(row) * (cols / 8) + c];
    float s = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      unsigned h = (q >> 4 * i & 0x000f000fu) | 0x64006400u;  // 1024 + w
      const half2 v = __hsub2(*reinterpret_cast<half2*>(&h), __float2half2_rn(1032.0f));
      s += __low2float(v) * x[8 * c + i] + __high2float(v) * x[8 * c + i + 4];
    }
    sum += s * scale[size_t(row) * (cols / 32) + c / 4];
  }
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (lane == 0) y[row] = sum;
}

void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
           int cols) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  gemv<<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(packed, scale, x, y, rows, cols);
}
