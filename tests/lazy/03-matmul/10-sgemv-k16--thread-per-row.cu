// lazy: matmul/10-sgemv-k16
// expect: gate global_load_sectors * 32 <= 1.05 * 6 * n * k
// The first file of the step before: a thread per row.
// y = A x with short rows, one thread per row.
// Bound by uncoalesced loads: lanes read elements a whole row apart. Give each row a warp, and
// add the lanes' shares with shuffles.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  // TODO: one warp per row. Which elements should a lane take, so that a load of the warp is
  // coalesced?
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * x[p];
  y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  const int block = 256;
  multiply<<<(n + block - 1) / block, block>>>(A, x, y, n, k);
}
