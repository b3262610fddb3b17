// out = in transposed, without shared memory: a warp reads along a row, but writes down a column.

constexpr int tile_size = 32;
constexpr int block_rows = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  // TODO: load the 32 x 32 tile into shared memory along rows of in, and store it along rows of
  // out. Which bound belongs to which index when storing?
  int col = blockIdx.x * tile_size + threadIdx.x;
  for (int j = threadIdx.y; j < tile_size; j += block_rows) {
    int row = blockIdx.y * tile_size + j;
    if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
