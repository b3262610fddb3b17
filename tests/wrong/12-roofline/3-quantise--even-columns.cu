// wrong: roofline/3-quantise
// mistake: A row begins at r * cols bytes. Only where cols is a multiple of 4 may its bytes be loaded as char4.
// expect: finding
// y = W x, one warp per row, weights as bytes.
// Bound by latency at the default size, and by DRAM bandwidth for larger matrices: one byte per
// weight, four weights per load.
constexpr int warps = 8;

__global__ void gemv_kernel(const float* w, const signed char* q, const float* scale,
                            const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (r >= rows) return;  // the whole warp
  float sum = 0.0f;
  const signed char* row = q + size_t(r) * cols;
  int done = 0;
  if (cols % 2 == 0) {  // then every row begins at a multiple of 4 bytes
    for (int p = lane; p < cols / 4; p += 32) {
      const char4 four = reinterpret_cast<const char4*>(row)[p];
      const float4 v = reinterpret_cast<const float4*>(x)[p];
      sum += four.x * v.x + four.y * v.y + four.z * v.z + four.w * v.w;
    }
    done = cols;
  }
  for (int c = done + lane; c < cols; c += 32) sum += row[c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = scale[r] * sum;
}

void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y,
          int rows, int cols) {
  if (rows == 0) return;
  const int blocks = (rows + warps - 1) / warps;
  gemv_kernel<<<blocks, 32 * warps>>>(w, q, scale, x, y, rows, cols);
}
