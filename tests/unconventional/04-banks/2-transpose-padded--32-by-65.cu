// unconventional: banks/2-transpose-padded
// A tile of 32 rows and 64 columns: rows of 65 words.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][65];
  const int x = threadIdx.x;
  const int col0 = blockIdx.x * 64;
  const int row0 = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) {
    for (int k = x; k < 64; k += 32) {
      if (row0 + j < rows && col0 + k < cols) tile[j][k] = in[(row0 + j) * cols + col0 + k];
    }
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 64; j += 8) {
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[x][j];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + 63) / 64, (rows + 31) / 32);
  transpose_tile<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
