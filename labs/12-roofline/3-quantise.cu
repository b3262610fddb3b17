// y = W x, one warp per row.
constexpr int warps = 8;

__global__ void gemv_kernel(const float* w, const signed char* q, const float* scale,
                            const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (r >= rows) return;  // the whole warp
  float sum = 0.0f;
  // TODO: q has the same weights in a byte each: w[r][c] = scale[r] * q[r][c].
  for (int c = lane; c < cols; c += 32) sum += w[size_t(r) * cols + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y,
          int rows, int cols) {
  if (rows == 0) return;
  const int blocks = (rows + warps - 1) / warps;
  gemv_kernel<<<blocks, 32 * warps>>>(w, q, scale, x, y, rows, cols);
}
