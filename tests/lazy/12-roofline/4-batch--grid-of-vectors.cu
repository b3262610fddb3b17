// lazy: roofline/4-batch
// expect: gate global_load_sectors <= 0.55 * rows * cols
// One launch, with the vectors as a second dimension of the grid: every weight is still loaded
// eight times.
constexpr int warps = 8;
constexpr int batch = 8;

__global__ void linear_kernel(const float* w, const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int b = blockIdx.y;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += w[size_t(r) * cols + c] * x[b * cols + c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[b * rows + r] = sum;
}

void linear(const float* w, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  linear_kernel<<<dim3((rows + warps - 1) / warps, batch), 32 * warps>>>(w, x, y, rows, cols);
}
