// lazy: roofline/3-quantise
// expect: gate global_load_sectors <= 0.2 * rows * cols
// A first kernel turns the bytes back into a float matrix, and the product reads that: more bytes
// than before.
constexpr int warps = 8;

__global__ void dequantise_kernel(const signed char* q, const float* scale, float* w, int rows,
                                  int cols) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * cols) w[i] = scale[i / cols] * q[i];
}

__global__ void gemv_kernel(const float* w, const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += w[size_t(r) * cols + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

void gemv(const float* w, const signed char* q, const float* scale, const float* x, float* y,
          int rows, int cols) {
  if (rows == 0) return;
  float* scratch;
  cudaMalloc(&scratch, (size_t(rows) * cols + 1) * sizeof(float));
  dequantise_kernel<<<(rows * cols + 255) / 256, 256>>>(q, scale, scratch, rows, cols);
  gemv_kernel<<<(rows + warps - 1) / warps, 32 * warps>>>(scratch, x, y, rows, cols);
  cudaFree(scratch);
}
