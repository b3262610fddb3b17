// C = A B. A block computes 32 x 32 outputs from tiles in shared memory: each element that it
// loads is used by 32 threads. That makes 2 N^3 / 32 lane loads from global memory, all
// coalesced.
// Bound by loads from shared memory: two per multiply-add, as many as went to global memory
// before.

constexpr int L = 32;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][L], b[L][L];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * L + y;
  int col = blockIdx.x * L + x;
  float sum = 0.0f;
  for (int p0 = 0; p0 < k; p0 += L) {
    a[y][x] =
        row < n && p0 + x < k ? A[row * k + p0 + x] : 0.0f;  // zeros past the edge add nothing
    b[y][x] = p0 + y < k && col < m ? B[(p0 + y) * m + col] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < L; ++p) sum += a[y][p] * b[p][x];
    __syncthreads();  // no thread reads them any more
  }
  if (row < n && col < m) C[row * m + col] = sum;
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), dim3(L, L)>>>(A, B, C, n, m, k);
}
