// unconventional: sparse/6-segments
// Lanes of a row find each other by match, and add up by the place within the group.
constexpr int threads = 128;
constexpr int share = 128;  // non-zeros per warp
constexpr unsigned all_lanes = 0xffffffff;

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
  const int k = blockIdx.x * threads + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const int row = row_of(min(k, nonzeros - 1), row_start, rows);
  float sum = k < nonzeros ? value[k] * x[col[k]] : 0;
  const unsigned group = __match_any_sync(all_lanes, row);
  const int last = 31 - __clz(group);
  for (int offset = 1; offset < 32; offset <<= 1) {
    const float other = __shfl_down_sync(all_lanes, sum, offset);
    if (lane + offset <= last) sum += other;
  }
  if (lane == __ffs(group) - 1) atomicAdd(y + row, sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  constexpr int share_of_block = threads;
  const int blocks = (nonzeros + share_of_block - 1) / share_of_block;
  if (blocks > 0)
    spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows, nonzeros);
}
