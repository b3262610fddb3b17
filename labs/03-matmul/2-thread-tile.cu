// C = A B, one output per thread.
// Bound by load requests: every multiply-add needs two loads. With V x V outputs per thread, each
// loaded element serves V multiply-adds.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  // TODO: compute V x V outputs per thread, V = 4, one block width (32 columns, 8 rows) apart. Keep
  // sums and factors in registers. Let no load wait for a check of the edges.
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * m + col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((m + 31) / 32, (n + 7) / 8), block>>>(A, B, C, n, m, k);
}
