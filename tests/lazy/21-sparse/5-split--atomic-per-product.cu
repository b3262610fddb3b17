// lazy: sparse/5-split
// expect: gate global_atomic_lane_bytes <= 4 * rows + nonzeros
// Shares are equal, but each lane adds each of its products to y by an atomic.
constexpr int threads = 128;
constexpr int share = 128;  // non-zeros per warp

// The row of non-zero k: the last one that begins at or before k.
__device__ int row_of(int k, const int* row_start, int rows) {
  int low = 0;  // row_start[low] <= k < row_start[high]
  int high = rows;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (row_start[middle] <= k) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows, int nonzeros) {
  const int warp = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  const int begin = warp * share;
  const int end = min(begin + share, nonzeros);
  if (begin >= end) return;  // by whole warps
  int row = row_of(begin, row_start, rows);
  for (int i = begin + lane; i < end; i += 32) {
    while (i >= row_start[row + 1]) ++row;
    atomicAdd(&y[row], value[i] * x[col[i]]);
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  constexpr int share_of_block = threads / 32 * share;
  const int blocks = (nonzeros + share_of_block - 1) / share_of_block;
  if (blocks > 0)
    spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows, nonzeros);
}
