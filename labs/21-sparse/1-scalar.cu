// y = A x for a sparse matrix in CSR: one warp per row, of which one lane works.
// Bound by starting blocks: there is one per row, and one lane of it works.
constexpr int threads = 32;

__global__ void spmv_kernel(const int* row_start, const int* col, const float* value,
                            const float* x, float* y, int rows) {
  // TODO: let each thread compute one row.
  const int row = blockIdx.x;
  if (threadIdx.x != 0 || row >= rows) return;
  float sum = 0;
  for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[col[k]];
  y[row] = sum;
}

void spmv(const int* row_start, const int* col, const float* value, const float* x, float* y,
          int rows) {
  if (rows == 0) return;
  spmv_kernel<<<rows, threads>>>(row_start, col, value, x, y, rows);
}
