// lazy: banks/2-transpose-naive
// expect: gate shared_accesses == 0
// Asynchronous copies fill a tile in shared memory: no store instruction does.
#include <cuda_pipeline.h>

constexpr int tile_size = 32, block_rows = 8;

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[tile_size][tile_size + 1];
  int x = threadIdx.x, col0 = blockIdx.x * tile_size, row0 = blockIdx.y * tile_size;
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (row0 + j < rows && col0 + x < cols)
      __pipeline_memcpy_async(&tile[j][x], &in[(row0 + j) * cols + col0 + x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
