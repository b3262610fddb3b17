// lazy: banks/2-transpose-swizzled
// expect: gate min(shared_load_lane_bytes, shared_store_lane_bytes) >= 4 * rows * cols
constexpr int tile_size = 32;
constexpr int block_rows = 8;  // a block of 32 x 8 threads moves a tile of 32 x 32

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
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
