// y = A x with rows of 16: two rows per warp, 16 lanes each. Consecutive rows are adjacent in
// memory, so both halves' loads form one coalesced request, and no lane idles. Each half warp has
// four rows, and loads from all of them before it adds lanes: a quarter of the blocks start.
// Bound by latency at the default size, and by DRAM at large ones.

constexpr int lanes = 16;  // of a row
constexpr int rows = 4;    // of a half warp

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int first = blockIdx.x * blockDim.y * rows + threadIdx.y;
  int lane = threadIdx.x;
  float sum[rows] = {};
  for (int p = lane; p < k; p += lanes) {
    for (int r = 0; r < rows; ++r) {
      int row = first + r * blockDim.y;
      if (row < n) sum[r] += A[row * k + p] * x[p];
    }
  }
  // The other half of the warp may have a row, so no lane leaves before the shuffles.
  for (int r = 0; r < rows; ++r) {
    int row = first + r * blockDim.y;
    for (int d = lanes / 2; d > 0; d /= 2) sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    if (row < n && lane == 0) y[row] = sum[r];
  }
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(lanes, 16);
  int per_block = block.y * rows;
  multiply<<<(n + per_block - 1) / per_block, block>>>(A, x, y, n, k);
}
