// lazy: matmul/1-naive-columns
// expect: gate global_load_sectors * 32 <= 0.65 * global_load_lane_bytes
// One thread computes a whole row of C, so the lanes still read A a row apart.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int col = 0; col < m; ++col) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * m + col];
    C[row * m + col] = sum;
  }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<(n + 31) / 32, 32>>>(A, B, C, n, m, k);
}
