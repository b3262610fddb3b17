// lazy: banks/2-transpose-swizzled
// expect: gate (static_smem + dynamic_smem) * max(blocks, ptx(bar.sync) * blocks / warps / 2) <= 4 * rows * cols
// A padded tile in shared memory that is rounded up to 5120 bytes.
constexpr int tile_size = 32;
constexpr int block_rows = 8;

// in is rows x cols, out is cols x rows, both row by row.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float room[1280];  // 32 rows of 33 words, rounded up to a multiple of 1024 bytes
  float(*tile)[tile_size + 1] = reinterpret_cast<float(*)[tile_size + 1]>(room);
  int x = threadIdx.x, col0 = blockIdx.x * tile_size, row0 = blockIdx.y * tile_size;
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (row0 + j < rows && col0 + x < cols) tile[j][x] = in[(row0 + j) * cols + col0 + x];
  __syncthreads();
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
