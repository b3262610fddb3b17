// wrong: matmul/10-sgemv-k32
// mistake: A row is taken to have at most 64 elements: longer ones lose the rest.
// expect: gate_failed gate right == 1 (k=101, n=37)
// y = A x with short rows, one warp per row. Lanes read consecutive elements of the row and add
// their shares with shuffles.
// Bound by starting blocks: a warp ends after one row. DRAM delivers every element of A once.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;  // the whole warp leaves together
  float sum = 0.0f;
  if (lane < k) sum = A[row * k + lane] * x[lane];
  if (lane + 32 < k) sum += A[row * k + lane + 32] * x[lane + 32];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(32, 8);
  multiply<<<(n + 7) / 8, block>>>(A, x, y, n, k);
}
