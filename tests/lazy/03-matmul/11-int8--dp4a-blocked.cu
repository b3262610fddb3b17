// lazy: matmul/11-int8
// expect: gate ptx(dp4a) + ptx(dp2a) == 0
// __dp4a on ordinary cores, blocked in registers so well that it keeps up with tensor cores.
constexpr int L = 64, S = 32, threads = 128;
__global__ void multiply(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  __shared__ __align__(16) int a[S / 4][L];  // a[p][row]: columns 4 p to 4 p + 3
  __shared__ __align__(16) int b[S / 4][L];
  const int t = threadIdx.x, row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  const int y = t / 8 * 4, x = t % 8 * 4;
  int sum[4][8] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    {
      const int row = row0 + t / 2, col = p0 + t % 2 * 16;
      int4 v = {0, 0, 0, 0};
      if (k % 16 == 0 && row < n && col < k)
        v = *reinterpret_cast<const int4*>(A + row * k + col);
      else {
        int w[4] = {};
        for (int j = 0; j < 16; ++j)
          if (row < n && col + j < k) w[j / 4] |= (A[row * k + col + j] & 255) << 8 * (j % 4);
        v = make_int4(w[0], w[1], w[2], w[3]);
      }
      const int q = t % 2 * 4, r = t / 2;
      a[q][r] = v.x, a[q + 1][r] = v.y, a[q + 2][r] = v.z, a[q + 3][r] = v.w;
    }
    {
      const int q = t / 16, col = col0 + t % 16 * 4;
      unsigned r[4];
      for (int i = 0; i < 4; ++i) {
        const int row = p0 + 4 * q + i;
        if (m % 4 == 0 && row < k && col < m)
          r[i] = *reinterpret_cast<const unsigned*>(B + row * m + col);
        else {
          r[i] = 0;
          for (int j = 0; j < 4; ++j)
            if (row < k && col + j < m) r[i] |= unsigned(B[row * m + col + j] & 255) << 8 * j;
        }
      }
      const unsigned l0 = __byte_perm(r[0], r[1], 0x5140), l1 = __byte_perm(r[2], r[3], 0x5140);
      const unsigned h0 = __byte_perm(r[0], r[1], 0x7362), h1 = __byte_perm(r[2], r[3], 0x7362);
      *reinterpret_cast<int4*>(&b[q][t % 16 * 4]) =
          make_int4(__byte_perm(l0, l1, 0x5410), __byte_perm(l0, l1, 0x7632),
                    __byte_perm(h0, h1, 0x5410), __byte_perm(h0, h1, 0x7632));
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < S / 4; ++q) {
      const int4 u = *reinterpret_cast<const int4*>(&a[q][y]);
      const int4 v = *reinterpret_cast<const int4*>(&b[q][x]),
                 w = *reinterpret_cast<const int4*>(&b[q][x + 32]);
      const int us[4] = {u.x, u.y, u.z, u.w}, vs[8] = {v.x, v.y, v.z, v.w, w.x, w.y, w.z, w.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = __dp4a(us[i], vs[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      const int row = row0 + y + i, col = col0 + x + j % 4 + j / 4 * 32;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}
void matmul(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
