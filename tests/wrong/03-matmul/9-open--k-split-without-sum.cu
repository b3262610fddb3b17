// wrong: matmul/9-open
// mistake: k is split over blockIdx.z, but each part stores its share instead of adding it.
// expect: finding race

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  for (int p = blockIdx.z; p < k; p += 2) sum += A[row * k + p] * B[p * m + col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((m + 31) / 32, (n + 7) / 8, 2), block>>>(A, B, C, n, m, k);
}
