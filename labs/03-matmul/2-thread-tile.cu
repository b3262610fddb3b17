// C = A B, one output a thread: every multiply-add costs two loads, 2 N^3 lane loads in all. With V x V
// outputs a thread, V elements of A and V of B give V * V products: 2 N^3 / V.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  // TODO: V = 4. Rows row ... row + 3; columns col, col + 32, col + 64, col + 96, so that lanes stay
  // neighbours. Keep float sum[V][V], a[V] and b[V] in registers; load zeros past the edges; check the edges
  // when storing.
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
