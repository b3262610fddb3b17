// lazy: sparse/2-vector
// expect: gate global_load_sectors + texture_sectors <= 1.66 * nonzeros
// Four lanes per row: long rows take many rounds, and loads spread over eight rows.
constexpr int threads = 128;
constexpr int lanes = 4;  // per row
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = (blockIdx.x * threads + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  float sum = 0;
  // Groups past the last row have nothing to add, but their lanes take part in the shuffles.
  const int end = row < rows ? row_start[row + 1] : 0;
  for (int k = row < rows ? row_start[row] + lane : 0; k < end; k += lanes)
    sum += value[k] * x[col[k]];
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(all_lanes, sum, offset);
  if (lane == 0 && row < rows) y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / lanes;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  spmv_kernel<<<blocks, threads>>>(row_start, col, value, x, y, rows);
}
