// C = A B, 128 x 128 outputs per block, 8 x 8 per thread.
// Bound by latency, then by instruction issue: a load or store moves 4 bytes per lane, a float4 16.

// TODO: one float4 per thread and tile. Store A's tile transposed, a[p][row], with tiles
// alignas(16). Then a thread's rows 8y ... 8y + 7 and columns 8x ... 8x + 7 are two float4 each.
// C can be stored as float4, too, but mind its last columns.
constexpr int L = 128;  // side x side threads
constexpr int S = 8;
constexpr int V = 8;
constexpr int side = L / V;

// x[row][col] to x[row][col + 3]; zeros outside. One 16-byte load where rows start on 16 bytes.
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0.0f, 0.0f, 0.0f, 0.0f};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return *reinterpret_cast<const float4*>(p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f,
          col + 3 < cols ? p[3] : 0.0f};
}

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
