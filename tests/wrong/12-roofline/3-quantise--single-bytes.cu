// wrong: roofline/3-quantise
// mistake: Single bytes make a load of a warp bring 32 bytes only: load four weights as a char4.
// expect: gate_failed gate global_loads <= 0.03 * rows * cols
// y = W x, a warp per row.
constexpr int warps = 8;

__global__ void gemv_kernel(const float* w, const signed char* q, const float* scale, const float* x, float* y, int rows,
                            int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;  // the whole warp
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += q[size_t(r) * cols + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = scale[r] * sum;
}

void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  gemv_kernel<<<(rows + warps - 1) / warps, 32 * warps>>>(w, q, scale, x, y, rows, cols);
}
