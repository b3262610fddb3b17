// lazy: matmul/12-int4
// expect: gate time_us <= 1.6 * reference(self)
// Weights are unpacked to bytes in shared memory.
constexpr int threads = 128;
__global__ void gemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
                     int cols) {
  __shared__ __align__(16) signed char unpacked[threads / 32][256];
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  signed char* mine = unpacked[threadIdx.x / 32];
  const int words = cols / 8;
  float sum = 0.0f;
  for (int p = lane; p - lane < words; p += 32) {
    if (p < words) {
      const unsigned word = packed[row * words + p];
      const unsigned low = word & 0x0f0f0f0f, high = word >> 4 & 0x0f0f0f0f;
      *reinterpret_cast<uint2*>(mine + 8 * lane) =
          make_uint2(__byte_perm(low, high, 0x5140), __byte_perm(low, high, 0x7362));
    }
    __syncwarp();
    for (int c = 0; c < 8; ++c) {
      const int col = (p - lane) * 8 + c * 32 + lane;
      if (col < cols)
        sum += scale[row * (cols / 32) + col / 32] * (mine[c * 32 + lane] - 8) * x[col];
    }
    __syncwarp();
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}
void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
           int cols) {
  if (rows == 0) return;
  gemv<<<(rows + 3) / 4, threads>>>(packed, scale, x, y, rows, cols);
}
