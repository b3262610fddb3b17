// lazy: sparse/3-lanes
// expect: gate time_us <= 0.95 * reference(scalar)
// Four lanes per row, but only 32 blocks, which stride through the rows.
constexpr int threads = 128;
constexpr int lanes = 4;  // per row
constexpr unsigned all_lanes = 0xffffffff;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int lane = threadIdx.x % lanes;
  for (int first = blockIdx.x * threads / lanes; first < rows;
       first += gridDim.x * threads / lanes) {
    const int row = first + threadIdx.x / lanes;
    float sum = 0;
    const int end = row < rows ? row_start[row + 1] : 0;
    for (int k = row < rows ? row_start[row] + lane : 0; k < end; k += lanes)
      sum += value[k] * x[col[k]];
    for (int offset = lanes / 2; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(all_lanes, sum, offset);
    if (lane == 0 && row < rows) y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<32, threads>>>(row_start, col, value, x, y, rows);
}
