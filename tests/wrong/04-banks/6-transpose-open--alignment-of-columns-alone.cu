// wrong: banks/6-transpose-open
// mistake: The loads by float4 are aligned where the columns are a multiple of 4. The stores need the same of the rows.
// expect: finding out_of_bounds
// out = in transposed, 16 bytes per lane on both sides. A thread's eight float4 do not wait for
// each other. Bound by DRAM, at nearly the speed of a copy. Each access to the tile takes two
// wavefronts instead of one, which costs less than DRAM takes. Blocks that run together lie on a
// diagonal, because those of one row of tiles would all write to the same columns.

constexpr int tile_size = 64;
constexpr int threads = 128;
constexpr int line_vectors = tile_size / 4;                    // float4 per row of the tile
constexpr int loads = tile_size * line_vectors / threads;      // float4 per thread
constexpr int row_step = threads / line_vectors;               // rows that the block loads at once

// in is rows x cols, out is cols x rows, both row by row; rows and cols are multiples of 4.
__global__ void __launch_bounds__(threads)
transpose_wide(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[tile_size][tile_size + 1];
  // first column, first row
  int x = threadIdx.x % line_vectors * 4, y = threadIdx.x / line_vectors;
  int col0 = (blockIdx.x + blockIdx.y) % gridDim.x * tile_size, row0 = blockIdx.y * tile_size;
  float4 v[loads];
#pragma unroll
  for (int j = 0; j < loads; ++j) {
    int row = row0 + y + row_step * j;
    v[j] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows && col0 + x < cols) {
      v[j] = *reinterpret_cast<const float4*>(in + size_t(row) * cols + col0 + x);
    }
  }
#pragma unroll
  for (int j = 0; j < loads; ++j) {
    float* line = &tile[y + row_step * j][x];
    line[0] = v[j].x;
    line[1] = v[j].y;
    line[2] = v[j].z;
    line[3] = v[j].w;
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < loads; ++j) {
    int c = y + row_step * j;  // a column of the tile becomes a row of the result
    if (col0 + c < cols && row0 + x < rows)
      *reinterpret_cast<float4*>(out + size_t(col0 + c) * rows + row0 + x) =
          make_float4(tile[x][c], tile[x + 1][c], tile[x + 2][c], tile[x + 3][c]);
  }
}

// For rows that do not start at 16 bytes: the padded tile of step 2c.
__global__ void transpose_any(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = threadIdx.x % 32, y = threadIdx.x / 32, col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
  for (int j = y; j < 32; j += threads / 32)
    if (row0 + j < rows && col0 + x < cols) {
      tile[j][x] = in[size_t(row0 + j) * cols + col0 + x];
    }
  __syncthreads();
  for (int j = y; j < 32; j += threads / 32)
    if (col0 + j < cols && row0 + x < rows) out[size_t(col0 + j) * rows + row0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  if (cols % 4 == 0)
    transpose_wide<<<grid, threads>>>(in, out, rows, cols);
  else
    transpose_any<<<dim3((cols + 31) / 32, (rows + 31) / 32), threads>>>(in, out, rows, cols);
}
