// lazy: roofline/4-batch
// expect: gate local_sectors == 0
// The 32 sums lie in local memory, since the loop over them is not unrolled.
constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int batch = 8;
constexpr int each = 4;  // rows per block
constexpr int sums = each * batch;

__global__ void linear_kernel(const float* w, const float* x, float* y, int rows, int cols) {
  __shared__ float partial[warps][sums];
  const int first = each * blockIdx.x;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float sum[each][batch] = {};
  for (int c = threadIdx.x; c < cols; c += threads) {
    float weight[each];
#pragma unroll 1
    for (int i = 0; i < each; ++i)
      weight[i] = first + i < rows ? w[size_t(first + i) * cols + c] : 0.0f;
#pragma unroll 1
    for (int b = 0; b < batch; ++b) {
      const float v = x[b * cols + c];
#pragma unroll 1
      for (int i = 0; i < each; ++i) sum[i][b] += weight[i] * v;
    }
  }
#pragma unroll 1
  for (int i = 0; i < each; ++i)
#pragma unroll 1
    for (int b = 0; b < batch; ++b) {
      float s = sum[i][b];
      for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
      if (lane == 0) partial[warp][i * batch + b] = s;
    }
  __syncthreads();
  if (threadIdx.x >= sums) return;
  float total = 0.0f;
  for (int k = 0; k < warps; ++k) total += partial[k][threadIdx.x];
  const int row = first + threadIdx.x / batch;
  if (row < rows) y[(threadIdx.x % batch) * rows + row] = total;
}

void linear(const float* w, const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  linear_kernel<<<(rows + each - 1) / each, threads>>>(w, x, y, rows, cols);
}
