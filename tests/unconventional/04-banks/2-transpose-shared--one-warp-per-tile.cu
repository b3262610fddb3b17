// unconventional: banks/2-transpose-shared
constexpr int tile_size = 32, block_rows = 8;

// One warp per tile, and rows of the tile as float4.
__global__ void transpose_tile(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  __shared__ float tile[tile_size * (tile_size + 1)];
  const int t = threadIdx.y * tile_size + threadIdx.x, col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
  const auto at = [](int r, int c) { return r * (tile_size + 1) + c; };
#pragma unroll
  for (int e = t; e < 1024; e += 256) {
    const int r = e >> 5, c = e & 31;
    if (row0 + r < rows && col0 + c < cols) tile[at(r, c)] = __ldg(&in[size_t(row0 + r) * cols + col0 + c]);
  }
  __syncthreads();
#pragma unroll
  for (int e = t; e < 1024; e += 256) {
    const int r = e & 31, c = e >> 5;
    if (row0 + r < rows && col0 + c < cols) __stcs(&out[size_t(col0 + c) * rows + row0 + r], tile[at(r, c)]);
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
