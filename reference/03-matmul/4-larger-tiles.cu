// C = A B, 128 x 128 outputs per block and 8 x 8 per thread. Compared with 64 x 64 and 4 x 4,
// each element is loaded half as often, from global and from shared memory. The price: 64 sums in
// registers, fewer warps and fewer blocks.
// Bound by latency (two blocks per SM), then by instruction issue: loads bring 4 bytes per lane.

constexpr int L = 128;  // side x side threads
constexpr int S = 8;
constexpr int V = 8;
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
