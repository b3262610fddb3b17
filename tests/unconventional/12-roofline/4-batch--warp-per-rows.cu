// unconventional: roofline/4-batch
// A warp has 4 rows and all vectors to itself: no shared memory, and fewer threads per row.
constexpr int warps = 4;
constexpr int batch = 8;
constexpr int each = 4;  // rows per warp

__global__ void linear_kernel(const float* w, const float* x, float* y, int rows, int cols) {
  const int first = each * (blockIdx.x * warps + threadIdx.x / 32);
  const int lane = threadIdx.x % 32;
  if (first >= rows) return;  // the whole warp
  float sum[each][batch] = {};
  for (int c = lane; c < cols; c += 32) {
    float weight[each];
#pragma unroll
    for (int i = 0; i < each; ++i)
      weight[i] = first + i < rows ? w[size_t(first + i) * cols + c] : 0.0f;
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      const float v = x[b * cols + c];
#pragma unroll
      for (int i = 0; i < each; ++i) sum[i][b] += weight[i] * v;
    }
  }
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      float s = sum[i][b];
      for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
      if (lane == 0 && first + i < rows) y[b * rows + first + i] = s;
    }
}

void linear(const float* w, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  constexpr int per_block = warps * each;
  linear_kernel<<<(rows + per_block - 1) / per_block, 32 * warps>>>(w, x, y, rows, cols);
}
