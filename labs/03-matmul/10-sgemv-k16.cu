// y = A x with rows of 16, one warp per row.
// Bound by starting blocks, and half of the lanes have nothing to load. Give a row 16 lanes.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  // TODO: 16 lanes per row, and shuffles within 16 lanes. Mind the last row when n is odd: no lane
  // may read the value of a lane that has ended.
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;  // the whole warp leaves together
  float sum = 0.0f;
  for (int p = lane; p < k; p += 32) sum += A[row * k + p] * x[p];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(32, 8);
  multiply<<<(n + 7) / 8, block>>>(A, x, y, n, k);
}
