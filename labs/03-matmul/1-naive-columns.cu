// C = A B, one output per thread. Consecutive lanes compute consecutive rows, so each lane's
// element of A lies in a sector of its own.
// Bound by uncoalesced loads. Let consecutive lanes compute consecutive columns.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  // TODO: exchange the roles of x and y, here and in the grid.
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * m + col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((n + 31) / 32, (m + 7) / 8), block>>>(A, B, C, n, m, k);
}
