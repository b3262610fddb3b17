// C = A B, both ideas together. A block computes L x L outputs from L x S and S x L tiles in
// shared memory. A thread holds V x V of them in registers. All threads load the tiles by a
// linear index.
// 2 N^3 / L lane loads from global memory, 2 N^3 / V from shared. Bound by latency at the
// default size, by instruction issue at larger ones.

constexpr int L = 64;  // side x side threads
constexpr int S = 16;
constexpr int V = 4;
constexpr int side = L / V;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][S], b[S][L];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int thread = y * side + x;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  float sum[V][V] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = thread; t < L * S; t += side * side) {
      int ar = t / S;
      int ac = t % S;
      int br = t / L;
      int bc = t % L;
      a[ar][ac] = row0 + ar < n && p0 + ac < k ? A[(row0 + ar) * k + p0 + ac] : 0.0f;
      b[br][bc] = p0 + br < k && col0 + bc < m ? B[(p0 + br) * m + col0 + bc] : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < S; ++p) {
      float u[V], v[V];  // this thread's rows y, y + 16, ... and columns x, x + 16, ...
      for (int i = 0; i < V; ++i) u[i] = a[y + i * side][p];
      for (int j = 0; j < V; ++j) v[j] = b[p][x + j * side];
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int row = row0 + y + i * side;
      int col = col0 + x + j * side;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), dim3(side, side)>>>(A, B, C, n, m, k);
}
