// y[b] = W x[b] for a batch of 8 vectors.
constexpr int warps = 8;
constexpr int batch = 8;

__global__ void linear_kernel(const float* w, const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32;  // one warp per row
  const int lane = threadIdx.x % 32;
  if (r >= rows) return;  // the whole warp
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += w[size_t(r) * cols + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

void linear(const float* w, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  const int blocks = (rows + warps - 1) / warps;
  // TODO: one launch, in which a loaded weight serves all vectors, and a loaded x several rows.
  for (int b = 0; b < batch; ++b)
    linear_kernel<<<blocks, 32 * warps>>>(w, x + b * cols, y + b * rows, rows, cols);
}
