// wrong: sparse/6-segments
// mistake: Lanes past the end leave before the shuffles, whose mask names them.
// expect: finding undefined_lane
constexpr int threads = 128;
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
  if (k >= nonzeros) return;
  const int lane = threadIdx.x % 32;
  // Lanes past the end take part in the shuffles, and add nothing to the last row.
  const int row = row_of(min(k, nonzeros - 1), row_start, rows);
  float sum = k < nonzeros ? value[k] * x[col[k]] : 0;
  // Doubles the reach of each lane's sum, as far as the row goes: 1, 2, 4, 8, 16, 32 lanes.
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_down_sync(all_lanes, sum, offset);
    const int row_of_other = __shfl_down_sync(all_lanes, row, offset);
    if (lane + offset < 32 && row_of_other == row) sum += other;
  }
  const int row_before = __shfl_up_sync(all_lanes, row, 1);
  if (lane == 0 || row_before != row) atomicAdd(&y[row], sum);
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  cudaMemset(y, 0, rows * sizeof(float));
  const int blocks = (nonzeros + threads - 1) / threads;
  if (blocks > 0)
    spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows, nonzeros);
}
