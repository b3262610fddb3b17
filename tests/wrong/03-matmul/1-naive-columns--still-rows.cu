// wrong: matmul/1-naive-columns
// mistake: The lanes still run along the rows: threadIdx.x must be the column.
// expect: gate_failed gate global_load_sectors * 32 <= 0.65 * global_load_lane_bytes

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
