// wrong: matmul/3-block-tile
// mistake: Threads past the edge of C leave at once. But their elements of the tiles are needed, and they must reach the barrier.
// expect: finding uninitialized

constexpr int L = 32;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][L], b[L][L];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * L + y;
  int col = blockIdx.x * L + x;
  if (row >= n || col >= m) return;
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
