// lazy: sparse/5-split
// expect: gate time_us <= 1.5 * reference(self) (rows=131071)
// Equal shares, but so large that few warps have any.
constexpr int threads = 128;
constexpr int share = 4096;  // non-zeros per warp
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
  const int warp = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  const int begin = warp * share;
  const int end = min(begin + share, nonzeros);
  if (begin >= end) return;  // by whole warps
  int k = begin;
  for (int row = row_of(begin, row_start, rows); k < end; ++row) {
    const int stop = min(row_start[row + 1], end);
    float sum = 0;
    for (int i = k + lane; i < stop; i += 32) sum += value[i] * x[col[i]];
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(all_lanes, sum, offset);
    // The row may have begun in the share before, or go on in the next.
    if (lane == 0) atomicAdd(&y[row], sum);
    k = stop;
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
