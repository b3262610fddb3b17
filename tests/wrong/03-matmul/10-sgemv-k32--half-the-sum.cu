// wrong: matmul/10-sgemv-k32
// mistake: The shuffles start at a distance of 8: the upper half of the warp is never added.
// expect: wrong

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;  // the whole warp leaves together
  float sum = 0.0f;
  for (int p = lane; p < k; p += 32) sum += A[row * k + p] * x[p];
  for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(32, 8);
  multiply<<<(n + 7) / 8, block>>>(A, x, y, n, k);
}
