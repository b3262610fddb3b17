// C = A B, one output per thread, consecutive lanes on consecutive rows.
// How many 32-byte sectors does a load request of this thread map move?

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  // TODO: the sum over p of A[row][p] * B[p][col], for all k values of p, not only the first.
  if (k > 0) sum = A[row * k] * B[col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((n + 31) / 32, (m + 7) / 8), block>>>(A, B, C, n, m, k);
}
