// unconventional: sparse/9-open
// One non-zero per lane and round, and the last row's sum goes from round to round.
constexpr int threads = 64;
constexpr int warps = threads / 32;
constexpr int share = 4 * 32;  // non-zeros per warp
constexpr int most_shares = (1 << 27) / share;
constexpr int rows_per_block = 256;
constexpr unsigned all_lanes = 0xffffffff;

// Scratch that lives as long as the program: one call at a time may use it.
__device__ int first_row[most_shares];

// One thread per row: clears the row's result, and notes the row for all shares that begin in it.
__global__ void note_kernel(const int* row_start, float* y, int rows) {
  const int row = blockIdx.x * rows_per_block + threadIdx.x;
  if (row >= rows) return;
  y[row] = 0;
  const int end = row_start[row + 1];
  for (int s = (row_start[row] + share - 1) / share; s * share < end; ++s) first_row[s] = row;
}

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows, int nonzeros) {
  __shared__ int marks[warps][share];  // the row that begins at each non-zero; 0: none begins
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int s = blockIdx.x * warps + warp;
  const int first = s * share;
  const int end = min(first + share, nonzeros);
  if (first >= end) return;  // by whole warps

  const int row0 = first_row[s];
  for (int i = lane; i < share; i += 32) marks[warp][i] = 0;
  __syncwarp();
  for (int row = row0 + 1 + lane;; row += 32) {
    const int begin = row < rows ? row_start[row] : end;
    // A row without non-zeros leaves the mark to the next.
    if (begin < end && row_start[row + 1] > begin) marks[warp][begin - first] = row;
    if (__any_sync(all_lanes, begin >= end)) break;
  }
  __syncwarp();
  int row_so_far = row0;
  float sum_so_far = 0;
  for (int round = 0; round < share / 32; ++round) {
    const int i = 32 * round + lane;
    const int k = first + i;
    int row = marks[warp][i];
    float sum = k < nonzeros ? value[k] * x[col[k]] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      const float sum_before = __shfl_up_sync(all_lanes, sum, offset);
      const int row_before = __shfl_up_sync(all_lanes, row, offset);
      if (lane >= offset && row == 0) {
        sum += sum_before;
        row = row_before;
      }
    }
    if (row == 0) {
      row = row_so_far;
      sum += sum_so_far;
    }
    const bool last = k == end - 1;
    if (k < end && (last || marks[warp][i + 1] != 0)) {
      if (row == row0 || last) {
        atomicAdd(&y[row], sum);
      } else {
        y[row] = sum;
      }
    }
    row_so_far = __shfl_sync(all_lanes, row, 31);
    sum_so_far = __shfl_sync(all_lanes, sum, 31);
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  note_kernel<<<(rows + rows_per_block - 1) / rows_per_block, rows_per_block>>>(row_start, y, rows);
  const int shares = (nonzeros + share - 1) / share;
  if (shares > 0)
    spmv_kernel<<<(shares + warps - 1) / warps, threads>>>(row_start, col, value, x, y, rows,
                                                           nonzeros);
}
