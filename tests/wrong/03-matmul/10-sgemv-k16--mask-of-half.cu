// wrong: matmul/10-sgemv-k16
// mistake: The mask names lanes 0 to 15 in both half warps: the upper ones are not in the mask that they give.
// expect: finding absent_lane

constexpr int lanes = 16;  // of a row

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  float sum = 0.0f;
  if (row < n)
    for (int p = lane; p < k; p += lanes) sum += A[row * k + p] * x[p];
  for (int d = lanes / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0x0000ffffu, sum, d);
  if (row < n && lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(lanes, 16);
  multiply<<<(n + 15) / 16, block>>>(A, x, y, n, k);
}
