// out = in transposed, through a padded tile without any conflict: 4 bytes a lane each way. What is left to win, now
// that the banks are no longer in the way?

// TODO: larger tiles, 16 bytes a lane where rows allow it, more than one load on its way for each thread.
constexpr int T = 32, kRows = 8;

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[T][T + 1];  // one word of padding a row
  int x = threadIdx.x, col0 = blockIdx.x * T, row0 = blockIdx.y * T;
  for (int j = threadIdx.y; j < T; j += kRows)
    if (row0 + j < rows && col0 + x < cols) tile[j][x] = in[(row0 + j) * cols + col0 + x];
  __syncthreads();
  for (int j = threadIdx.y; j < T; j += kRows)
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  transpose_tile<<<dim3((cols + T - 1) / T, (rows + T - 1) / T), dim3(T, kRows)>>>(in, out, rows, cols);
}
