// C = A B, double-buffered, with the tile chosen by the number of blocks: large tiles reuse more, but a 256 x
// 256 result has only 4 tiles of 128 x 128, and 128 of an H100's 132 SMs would stand idle. Tiles of 32 x 32
// make 64 blocks. Bound by the multiply-adds when large, by latency when small.

constexpr int S = 8;

__device__ float4& four(float& first) { return reinterpret_cast<float4&>(first); }

// x[row][col] to x[row][col + 3]; zeros outside. One 16-byte load where rows start on 16 bytes.
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0.0f, 0.0f, 0.0f, 0.0f};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return *reinterpret_cast<const float4*>(p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f, col + 3 < cols ? p[3] : 0.0f};
}

__device__ void store4(float* x, int row, int col, int rows, int cols, const float* v) {
  if (row >= rows || col >= cols) return;
  float* p = x + row * cols + col;
  if (cols % 4 == 0) *reinterpret_cast<float4*>(p) = {v[0], v[1], v[2], v[3]};
  else
    for (int j = 0; j < 4 && col + j < cols; ++j) p[j] = v[j];
}

// A is n x k, B is k x m, C is n x m, all row by row. L x L outputs a block, V x V a thread; L * S / 4 is the
// number of threads, so each moves one float4 of each tile.
template <int L, int V>
__global__ void __launch_bounds__(L * S / 4)
    multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  constexpr int kSide = L / V, kPitch = L + 4;
  static_assert(kSide * kSide == L * S / 4, "one float4 of each tile a thread");
  __shared__ alignas(16) float a[2][S][kPitch];  // transposed: a[.][p][row]
  __shared__ alignas(16) float b[2][S][L];
  int thread = threadIdx.x, x = thread % kSide, y = thread / kSide;
  int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  int ar = thread / 2, ac = thread % 2 * 4;    // this thread's four elements of A's L x 8 tile
  int br = thread / (L / 4), bc = thread % (L / 4) * 4;  // and of B's 8 x L tile
  float sum[V][V] = {};
  float4 next_a, next_b;
  auto fetch = [&](int p0) {  // global memory to registers
    next_a = load4(A, row0 + ar, p0 + ac, n, k);
    next_b = load4(B, p0 + br, col0 + bc, k, m);
  };
  auto put = [&](int buffer) {  // registers to one of the two pairs of tiles
    float(*t)[kPitch] = a[buffer];
    t[ac][ar] = next_a.x, t[ac + 1][ar] = next_a.y, t[ac + 2][ar] = next_a.z, t[ac + 3][ar] = next_a.w;
    four(b[buffer][br][bc]) = next_b;
  };
  fetch(0);
  put(0);
  __syncthreads();
  int now = 0;
  for (int p0 = 0; p0 < k; p0 += S) {
    fetch(p0 + S);  // in flight during the multiply-adds; zeros after the last tile
    for (int p = 0; p < S; ++p) {
      alignas(16) float u[V], v[V];  // V rows from V y on; columns in groups of four, 4 kSide apart
      for (int i = 0; i < V; i += 4) four(u[i]) = four(a[now][p][y * V + i]);
      for (int j = 0; j < V; j += 4) four(v[j]) = four(b[now][p][x * 4 + j * kSide]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    now = 1 - now;
    put(now);
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; j += 4) store4(C, row0 + y * V + i, col0 + x * 4 + j * kSide, n, m, &sum[i][j]);
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  int sms = 1;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if ((m + 127) / 128 * ((n + 127) / 128) >= sms)
    multiply<128, 8><<<dim3((m + 127) / 128, (n + 127) / 128), 256>>>(A, B, C, n, m, k);
  else
    multiply<32, 4><<<dim3((m + 31) / 32, (n + 31) / 32), 64>>>(A, B, C, n, m, k);
}
