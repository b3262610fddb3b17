// unconventional: matmul/3-block-tile
// A block of 64 x 64 outputs in dynamic shared memory, four per thread.
template <int L, int S, int T>
__global__ void __launch_bounds__(T* T) k(const float* A, const float* B, float* C, int n, int m, int kk) {
  extern __shared__ float mem[];
  float(*a)[S] = reinterpret_cast<float(*)[S]>(mem);
  float(*b)[L] = reinterpret_cast<float(*)[L]>(mem + L * S);
  const int x = threadIdx.x, y = threadIdx.y, t = y * T + x, r0 = blockIdx.y * L, c0 = blockIdx.x * L;
  constexpr int V = L / T;
  float sum[V][V] = {};
  for (int p0 = 0; p0 < kk; p0 += S) {
    for (int e = t; e < L * S; e += T * T) {
      const int i = e / S, p = e % S, q = e / L, j = e % L;
      a[i][p] = r0 + i < n && p0 + p < kk ? A[size_t(r0 + i) * kk + p0 + p] : 0;
      b[q][j] = p0 + q < kk && c0 + j < m ? B[size_t(p0 + q) * m + c0 + j] : 0;
    }
    __syncthreads();
    for (int p = 0; p < S; ++p)
#pragma unroll
      for (int i = 0; i < V; ++i)
#pragma unroll
        for (int j = 0; j < V; ++j) sum[i][j] = fmaf(a[y + i * T][p], b[p][x + j * T], sum[i][j]);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < V; ++i)
#pragma unroll
    for (int j = 0; j < V; ++j)
      if (const int r = r0 + y + i * T, c = c0 + x + j * T; r < n && c < m) C[size_t(r) * m + c] = sum[i][j];
}
void matmul(const float* A, const float* B, float* C, int n, int m, int kk) {
  if (n == 0 || m == 0) return;
  k<64, 32, 32><<<dim3((m + 63) / 64, (n + 63) / 64), dim3(32, 32), 64 * 32 * 8>>>(A, B, C, n, m, kk);
}
