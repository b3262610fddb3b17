// out = in transposed, straight to global memory. A warp reads along a row, but writes down a column: 32
// sectors a request. Turn the tile round in shared memory, so that both sides go along rows.

constexpr int T = 32, kRows = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  // TODO: bring the 32 x 32 tile to shared memory along rows of in; barrier; write it along rows of out,
  // reading the tile by columns. When writing, threadIdx.x runs over the rows of in: the bounds exchange
  // their roles.
  int col = blockIdx.x * T + threadIdx.x;
  for (int j = threadIdx.y; j < T; j += kRows) {
    int row = blockIdx.y * T + j;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_tile<<<dim3((cols + T - 1) / T, (rows + T - 1) / T), dim3(T, kRows)>>>(in, out, rows, cols);
}
