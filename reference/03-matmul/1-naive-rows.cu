// C = A B, one output per thread, consecutive lanes on consecutive rows.
// Bound by uncoalesced loads: the lanes' elements of A lie a whole row apart, 32 sectors per
// request. With the one sector of B that all lanes share, a request moves 16.5 on average.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
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
