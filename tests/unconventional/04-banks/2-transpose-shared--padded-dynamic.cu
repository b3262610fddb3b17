// unconventional: banks/2-transpose-shared
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int x = threadIdx.x % 32;
  const int y = threadIdx.x / 32;
  const int col0 = blockIdx.x * 32;
  const int row0 = blockIdx.y * 32;
  for (int j = y; j < 32; j += 4) {
    if (row0 + j < rows && col0 + x < cols) tile[33 * j + x] = in[(row0 + j) * cols + col0 + x];
  }
  __syncthreads();
  for (int j = y; j < 32; j += 4) {
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[33 * x + j];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<<<grid, 128, 32 * 33 * sizeof(float)>>>(in, out, rows, cols);
}
