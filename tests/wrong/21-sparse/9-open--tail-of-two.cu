// wrong: sparse/9-open
// mistake: Up to three non-zeros are left over behind the last pack of four. The tail takes two only.
// expect: gate_failed gate right == 1 (rows=640)
// y = A x for a sparse matrix in CSR, whatever its rows: four non-zeros per lane from one load, and
// no search. A first launch notes the row in which each warp's share begins. Within the share, rows
// mark where they begin.
// Bound by the sectors of x: 32 bytes come from the L2 for 4, unless columns are close together.
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

  float product[4] = {};
  const int k = first + 4 * lane;
  if (k + 4 <= nonzeros) {
    // __ldcs: read once, so the caches are left to x.
    const int4 c = __ldcs(reinterpret_cast<const int4*>(col + k));
    const float4 v = __ldcs(reinterpret_cast<const float4*>(value + k));
    product[0] = v.x * x[c.x];
    product[1] = v.y * x[c.y];
    product[2] = v.z * x[c.z];
    product[3] = v.w * x[c.w];
  } else {
    for (int i = 0; i < 3 - 1; ++i)
      if (k + i < nonzeros) product[i] = value[k + i] * x[col[k + i]];
  }

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
  int begins[4];
  for (int i = 0; i < 4; ++i) begins[i] = marks[warp][4 * lane + i];

  int row = 0;    // the last row that begins in this lane; 0: none
  float sum = 0;  // what the lane has of it, or of the row that came from the lane before
  for (int i = 0; i < 4; ++i) {
    if (begins[i] != 0) {
      row = begins[i];
      sum = 0;
    }
    sum += product[i];
  }
  // Doubles the reach of each lane's sum, back to where its row begins.
  for (int offset = 1; offset < 32; offset *= 2) {
    const float sum_before = __shfl_up_sync(all_lanes, sum, offset);
    const int row_before = __shfl_up_sync(all_lanes, row, offset);
    if (lane >= offset && row == 0) {
      sum += sum_before;
      row = row_before;
    }
  }
  if (row == 0) row = row0;
  if (lane == 31) atomicAdd(&y[row], sum);  // the row may go on in the next share

  row = __shfl_up_sync(all_lanes, row, 1);
  sum = __shfl_up_sync(all_lanes, sum, 1);
  if (lane == 0) {
    row = row0;
    sum = 0;
  }
  for (int i = 0; i < 4; ++i) {
    if (begins[i] != 0) {  // the row before ends here
      if (row == row0) {
        atomicAdd(&y[row], sum);  // it may have begun in an earlier share
      } else {
        y[row] = sum;
      }
      row = begins[i];
      sum = 0;
    }
    sum += product[i];
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
