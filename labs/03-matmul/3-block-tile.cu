// C = A B, one output per thread, as in naive-columns.
// Bound by load requests. The 32 x 32 threads of a block need the same 32 rows of A and 32
// columns of B: let them bring tiles to shared memory together, and multiply from there.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: multiply from 32 x 32 tiles of A and B in shared memory, one pair of tiles after the
  // other. Where must the block wait, and what is in a tile past the edges?
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * m + col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 32);
  multiply<<<dim3((m + 31) / 32, (n + 31) / 32), block>>>(A, B, C, n, m, k);
}
