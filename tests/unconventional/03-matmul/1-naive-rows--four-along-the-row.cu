// unconventional: matmul/1-naive-rows
// A thread loads four elements of its row of A at once.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= m) return;
  float sum = 0.0f;
  int p = 0;
  if (k % 4 == 0)
    for (; p < k; p += 4) {
      float4 v = *(const float4*)(A + row * k + p);
      sum += v.x * B[p * m + col] + v.y * B[(p + 1) * m + col] + v.z * B[(p + 2) * m + col] +
             v.w * B[(p + 3) * m + col];
    }
  for (; p < k; ++p) sum += A[row * k + p] * B[p * m + col];
  C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((n + 31) / 32, (m + 7) / 8), block>>>(A, B, C, n, m, k);
}
