// C = A B, 128 x 128 outputs per block, 8 x 8 per thread, with a layout that keeps all banks
// busy. A thread's columns are two groups of four, 64 apart, so adjacent lanes read adjacent 16
// bytes. A row of A's transposed tile is 4 floats longer, so its stores spread over the banks.
// Bound by the wait for the next tile, then by instruction issue.

constexpr int L = 128;
constexpr int S = 8;
constexpr int V = 8;
constexpr int side = L / V;
constexpr int threads = side * side;
constexpr int pitch = L + 4;  // of A's tile: rows p and p + 4 start 16 banks apart

__device__ float4& as_float4(float& first) { return reinterpret_cast<float4&>(first); }

// x[row][col] to x[row][col + 3]; zeros outside. One 16-byte load where rows start on 16 bytes.
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0.0f, 0.0f, 0.0f, 0.0f};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return *reinterpret_cast<const float4*>(p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f,
          col + 3 < cols ? p[3] : 0.0f};
}

__device__ void store4(float* x, int row, int col, int rows, int cols, const float* v) {
  if (row >= rows || col >= cols) return;
  float* p = x + row * cols + col;
  if (cols % 4 == 0)
    *reinterpret_cast<float4*>(p) = {v[0], v[1], v[2], v[3]};
  else
    for (int j = 0; j < 4 && col + j < cols; ++j) p[j] = v[j];
}

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void __launch_bounds__(threads)
    multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ alignas(16) float a[S][pitch];  // transposed: a[p][row]
  __shared__ alignas(16) float b[S][L];
  int thread = threadIdx.x;
  int x = thread % side;
  int y = thread / side;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int ar = thread / 2;  // this thread's four elements of A's 128 x 8 tile
  int ac = thread % 2 * 4;
  int br = thread / 32;  // and of B's 8 x 128 tile
  int bc = thread % 32 * 4;
  float sum[V][V] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    float4 next = load4(A, row0 + ar, p0 + ac, n, k);
    a[ac][ar] = next.x;
    a[ac + 1][ar] = next.y;
    a[ac + 2][ar] = next.z;
    a[ac + 3][ar] = next.w;
    as_float4(b[br][bc]) = load4(B, p0 + br, col0 + bc, k, m);
    __syncthreads();
    for (int p = 0; p < S; ++p) {
      // Rows 8y ... 8y + 7, columns 4x ... 4x + 3 and 64 + 4x ... 64 + 4x + 3.
      alignas(16) float u[V];
      alignas(16) float v[V];
      for (int i = 0; i < V; i += 4) as_float4(u[i]) = as_float4(a[p][y * V + i]);
      for (int j = 0; j < V; j += 4) as_float4(v[j]) = as_float4(b[p][x * 4 + j * side]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; j += 4)
      store4(C, row0 + y * V + i, col0 + x * 4 + j * side, n, m, &sum[i][j]);
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
