// lazy: matmul/5-vec4-layout
// expect: gate global_load_lane_bytes <= 1.02 * 8 * n * m * k / 128
// Step 1 as it was: where nothing is in shared memory, nothing collides there.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
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
