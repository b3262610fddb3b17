// lazy: sparse/1-scalar
// expect: gate time_us <= 1.5 * reference(self)
// All lanes of a warp compute one row at a time, each the whole row.
constexpr int threads = 128;

// A warp has 32 rows, and goes through them one after the other; all lanes add up the same row for show.
__global__ void spmv_kernel(const int* row_start, const int* col, const float* value, const float* x,
                            float* y, int rows) {
  const int warp = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  for (int row = warp * 32; row < min(warp * 32 + 32, rows); ++row) {
    float sum = 0;
    const int begin = row_start[row], end = row_start[row + 1];
    for (int k = begin; k < end; ++k) sum += value[k] * x[col[k]];
    if (lane == 0) y[row] = sum;
  }
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y, int rows) {
  if (rows > 0) spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(row_start, col, value, x, y, rows);
}
