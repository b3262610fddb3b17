// wrong: sparse/2-vector
// mistake: A row may have fewer entries than a warp has lanes, or none.
// expect: finding
// y = A x for a sparse matrix in CSR: one warp per row. Consecutive lanes read consecutive
// non-zeros. Bound by latency, and with many rows by the gathers from x.
constexpr int threads = 128;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  float sum = 0;
  const int end = row_start[row + 1];
  int k = row_start[row] + lane;
  sum = value[k] * x[col[k]];
  for (k += 32; k < end; k += 32) sum += value[k] * x[col[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
