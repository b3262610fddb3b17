// unconventional: sparse/2-vector
// Two rounds in flight: a lane past the end repeats its load.
#include <cub/cub.cuh>
constexpr int threads = 256;
using Reduce = cub::WarpReduce<float>;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  __shared__ Reduce::TempStorage temp[threads / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.x * (threads / 32) + warp;
  if (row >= rows) return;
  const int begin = row_start[row], end = row_start[row + 1];
  float sum = 0.f;
  for (int k = begin + lane; k < end; k += 64) {
    const bool two = k + 32 < end;
    const int c0 = col[k], c1 = two ? col[k + 32] : c0;
    const float v0 = value[k], v1 = two ? value[k + 32] : 0.f;
    sum += v0 * __ldg(x + c0) + v1 * __ldg(x + c1);
  }
  sum = Reduce(temp[warp]).Sum(sum);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows) spmv_kernel<<<(rows + 7) / 8, threads>>>(row_start, col, value, x, y, rows);
}
