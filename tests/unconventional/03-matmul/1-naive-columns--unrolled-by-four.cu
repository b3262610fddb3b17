// unconventional: matmul/1-naive-columns
// Blocks of 192 threads in one dimension. The loop over k is unrolled by four, with four sums per
// thread.
#include <cuda_runtime.h>
__global__ void __launch_bounds__(192)
    lanes_along_columns(const float* __restrict__ A, const float* __restrict__ B,
                        float* __restrict__ C, int n, int m, int k) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = at / m, col = at % m;
  if (row >= n) return;
  const float* a = A + size_t(row) * k;
  const float* b = B + col;
  float s = 0;
#pragma unroll 4
  for (int p = 0; p < k; ++p, b += m) s = __fmaf_rn(a[p], *b, s);
  C[at] = s;
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n > 0 && m > 0) lanes_along_columns<<<(n * m + 191) / 192, 192>>>(A, B, C, n, m, k);
}
