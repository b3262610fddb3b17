// wrong: sparse/1-scalar
// mistake: An empty row has no first entry: check before the first one.
// expect: wrong
// y = A x for a sparse matrix in CSR: one thread per row.
// Bound by latency: a warp goes on until its longest row ends, and its lanes read 32 rows at once.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = row_start[row + 1];
  int k = row_start[row];
  do sum += value[k] * x[col[k]]; while (++k < end);
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(row_start, col, value, x, y, rows);
}
