// y = A x with rows of 16: two rows per warp, 16 lanes each. Consecutive rows are adjacent in
// memory, so both halves' loads form one coalesced request, and no lane idles.
// Bound by starting blocks: half as many as with one row per warp.

constexpr int lanes = 16;  // of a row

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  float sum = 0.0f;
  if (row < n)  // the other half of the warp may have a row, so no lane leaves before the shuffles
    for (int p = lane; p < k; p += lanes) sum += A[row * k + p] * x[p];
  for (int d = lanes / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (row < n && lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(lanes, 16);
  multiply<<<(n + 15) / 16, block>>>(A, x, y, n, k);
}
