// wrong: banks/2-transpose-naive
// mistake: Now the reads go down a column and the writes along a row: the reads are uncoalesced instead.
// expect: gate_failed gate global_load_sectors <= 1.05 * rows * cols / 8

constexpr int T = 32, kRows = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  int row = blockIdx.y * T + threadIdx.x;
  for (int j = threadIdx.y; j < T; j += kRows) {
    int col = blockIdx.x * T + j;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_tile<<<dim3((cols + T - 1) / T, (rows + T - 1) / T), dim3(T, kRows)>>>(in, out, rows, cols);
}
