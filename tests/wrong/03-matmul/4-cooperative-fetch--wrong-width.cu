// wrong: matmul/4-cooperative-fetch
// mistake: A's tile is S wide and B's is L wide: their linear indices are split by different numbers.
// expect: finding out_of_bounds

constexpr int L = 64, S = 16, V = 4, kSide = L / V;  // kSide x kSide threads

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][S], b[S][L];
  int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
  int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  float sum[V][V] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = thread; t < L * S; t += kSide * kSide) {
      int ar = t / S, ac = t % S, br = t / S, bc = t % S;
      a[ar][ac] = row0 + ar < n && p0 + ac < k ? A[(row0 + ar) * k + p0 + ac] : 0.0f;
      b[br][bc] = p0 + br < k && col0 + bc < m ? B[(p0 + br) * m + col0 + bc] : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < S; ++p) {
      float u[V], v[V];  // this thread's rows y, y + 16, ... and columns x, x + 16, ...
      for (int i = 0; i < V; ++i) u[i] = a[y + i * kSide][p];
      for (int j = 0; j < V; ++j) v[j] = b[p][x + j * kSide];
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int row = row0 + y + i * kSide, col = col0 + x + j * kSide;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), dim3(kSide, kSide)>>>(A, B, C, n, m, k);
}
