// y = A x with rows of 128, one warp per row.
// Bound by DRAM. A row takes four load requests of 128 bytes; a lane can load 16 bytes at once.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;  // the whole warp leaves together
  // TODO: where k is a multiple of 4, let a lane load float4 from A and from x, every 128
  // elements.
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
