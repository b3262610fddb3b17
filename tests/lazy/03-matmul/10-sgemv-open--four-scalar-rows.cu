// lazy: matmul/10-sgemv-open
// expect: gate instructions <= 0.5 * reference(sgemv-k32)
// Four rows in flight per lane, but a warp per row and 4 bytes per load: five shuffles per row.
constexpr int rows_in_flight = 4;

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int first = (blockIdx.x * blockDim.y + threadIdx.y) * rows_in_flight;
  int lane = threadIdx.x;
  if (first >= n) return;
  float sum[rows_in_flight] = {};
  for (int p = lane; p < k; p += 32) {
    float v = x[p];
    float u[rows_in_flight];
    for (int i = 0; i < rows_in_flight; ++i) u[i] = A[size_t(min(first + i, n - 1)) * k + p];
    for (int i = 0; i < rows_in_flight; ++i) sum[i] += u[i] * v;
  }
  for (int i = 0; i < rows_in_flight; ++i) {
    for (int d = 16; d > 0; d /= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], d);
    if (lane == 0 && first + i < n) y[first + i] = sum[i];
  }
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  const int rows = 8 * rows_in_flight;
  multiply<<<(n + rows - 1) / rows, dim3(32, 8)>>>(A, x, y, n, k);
}
