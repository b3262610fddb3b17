// C = A B from 32 x 32 tiles in shared memory, one output per thread.
// Bound by loads from shared memory: two per multiply-add. Join the two ideas: 64 x 64 outputs
// per block, 4 x 4 per thread, tiles of 64 x 16 and 16 x 64.

// TODO: L = 64, S = 16, V = 4, so 16 x 16 threads. Load the tiles by a linear index. Let the rows
// and columns of a thread lie 16 apart.
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
