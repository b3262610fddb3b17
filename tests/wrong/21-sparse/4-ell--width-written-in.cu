// wrong: sparse/4-ell
// mistake: The width is an argument: 17 is written in.
// expect: finding
// y = A x for a sparse matrix in ELL: rows padded to one width, entry k of row i at k * rows + i.
// One thread per row: consecutive lanes read consecutive entries. Bound by latency, and with many
// rows by DRAM bandwidth.
constexpr int threads = 128;

__global__ void spmv_kernel(const int* col, const float* value, const float* x, float* y, int rows,
                            int width) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  // Padding has value 0 and column 0: it adds nothing.
  for (int k = 0; k < width; ++k) sum += value[k * rows + row] * x[col[k * rows + row]];
  y[row] = sum;
}

void spmv_ell(const int* col, const float* value, const float* x, float* y, int rows, int) {
  const int width = 17;
  if (rows == 0) return;
  spmv_kernel<<<(rows + threads - 1) / threads, threads>>>(col, value, x, y, rows, width);
}
