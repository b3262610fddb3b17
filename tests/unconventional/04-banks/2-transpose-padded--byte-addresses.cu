// unconventional: banks/2-transpose-padded
constexpr int tile_size = 32, block_rows = 8;

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ char tile[tile_size * 132];
  const int x = threadIdx.x, col0 = blockIdx.x * tile_size, row0 = blockIdx.y * tile_size;
  const unsigned base = unsigned(__cvta_generic_to_shared(tile));
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (row0 + j < rows && col0 + x < cols)
      asm volatile("st.shared.f32 [%0], %1;" ::"r"(base + 132 * j + 4 * x),
                   "f"(in[(row0 + j) * cols + col0 + x])
                   : "memory");
  __syncthreads();
  for (int j = threadIdx.y; j < tile_size; j += block_rows)
    if (col0 + j < cols && row0 + x < rows) {
      float v;
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(base + 132 * x + 4 * j) : "memory");
      out[(col0 + j) * rows + row0 + x] = v;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
