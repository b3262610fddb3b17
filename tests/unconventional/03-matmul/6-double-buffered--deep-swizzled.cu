// unconventional: matmul/6-double-buffered
// Tiles 16 deep in dynamic shared memory; A's columns are swizzled.

constexpr int L = 128, S = 16, V = 8, threads = 256, P = L + 4;
__device__ float4& f4(float& x) { return reinterpret_cast<float4&>(x); }
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return make_float4(0, 0, 0, 0);
  const float* p = x + (size_t)row * cols + col;
  if (cols % 4 == 0) return __ldg(reinterpret_cast<const float4*>(p));
  return make_float4(p[0], col + 1 < cols ? p[1] : 0, col + 2 < cols ? p[2] : 0,
                     col + 3 < cols ? p[3] : 0);
}
struct Shared {
  float a[S][P];
  float b[S][L];
};
__global__ void __launch_bounds__(threads)
    multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  extern __shared__ __align__(16) char bytes[];
  Shared* s = reinterpret_cast<Shared*>(bytes);
  int t = threadIdx.x, x = t % 16, y = t / 16, row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  float sum[V][V] = {};
  float4 na[2], nb[2];
  auto fetch = [&](int p0) {
    for (int q = 0; q < 2; ++q) {
      na[q] = load4(A, row0 + t / 4 + 64 * q, p0 + t % 4 * 4, n, k);
      nb[q] = load4(B, p0 + t / 32 + 8 * q, col0 + t % 32 * 4, k, m);
    }
  };
  auto put = [&](Shared& to) {
    for (int q = 0; q < 2; ++q) {
      int c = t % 4 * 4, r = (t / 4 + 64 * q) ^ (t % 4 / 2 * 8);
      to.a[c][r] = na[q].x;
      to.a[c + 1][r] = na[q].y;
      to.a[c + 2][r] = na[q].z;
      to.a[c + 3][r] = na[q].w;
      f4(to.b[t / 32 + 8 * q][t % 32 * 4]) = nb[q];
    }
  };
  fetch(0);
  put(s[0]);
  __syncthreads();
  int now = 0;
  for (int p0 = 0; p0 < k; p0 += S) {
    fetch(p0 + S);
    Shared& c = s[now];
#pragma unroll
    for (int p = 0; p < S; ++p) {
      alignas(16) float u[V], v[V];
      int w = p / 8 * 8;
      f4(u[0]) = f4(c.a[p][(y * 4) ^ w]);
      f4(u[4]) = f4(c.a[p][(y * 4 + 64) ^ w]);
      f4(v[0]) = f4(c.b[p][x * 4]);
      f4(v[4]) = f4(c.b[p][x * 4 + 64]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    now ^= 1;
    put(s[now]);
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int row = row0 + (i / 4) * 64 + y * 4 + i % 4, col = col0 + (j / 4) * 64 + x * 4 + j % 4;
      if (row < n && col < m) C[(size_t)row * m + col] = sum[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads, 2 * sizeof(Shared)>>>(A, B, C, n, m,
                                                                                    k);
}
