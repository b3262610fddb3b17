// lazy: banks/2-transpose-shared
// expect: gate min(shared_load_lane_bytes, shared_store_lane_bytes) >= 4 * rows * cols
// Shuffles transpose; shared memory is read for show.
constexpr int tile_size = 32, block_rows = 8;

// A butterfly of shuffles transposes 32 x 32 registers. A word of shared memory is read for each element.
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float decoy[32];
  decoy[threadIdx.x] = 0;
  __syncthreads();
  const int x = threadIdx.x, col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
  volatile float* show = decoy;
  if (threadIdx.y > 0) return;
  float v[32];
#pragma unroll
  for (int j = 0; j < 32; ++j)
    v[j] = row0 + j < rows && col0 + x < cols ? in[(row0 + j) * cols + col0 + x] : 0;
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
#pragma unroll
    for (int j = 0; j < 32; ++j)
      if (!(j & d)) {
        const bool upper = x & d;
        const float give = upper ? v[j] : v[j | d];
        const float got = __shfl_xor_sync(~0u, give, d);
        if (upper)
          v[j] = got;
        else
          v[j | d] = got;
      }
#pragma unroll
  for (int j = 0; j < 32; ++j)
    if (col0 + j < cols && row0 + x < rows) out[(col0 + j) * rows + row0 + x] = v[j] + show[x] * 0.0f;
}

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  transpose_tile<<<grid, dim3(tile_size, block_rows)>>>(in, out, rows, cols);
}
