// unconventional: matmul/4-cooperative-fetch
// 128 threads with 8 x 4 outputs each, tiles 32 deep, that of A transposed.

constexpr int L = 64, S = 32;
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[S][L + 1];  // transposed
  __shared__ float b[S][L];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;  // 16 x 8 threads
  const int r0 = blockIdx.y * L, c0 = blockIdx.x * L;
  float acc[8][4] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int i = tid; i < L * S; i += blockDim.x) {
      int r = i / S, p = i % S;
      a[p][r] = r0 + r < n && p0 + p < k ? A[(r0 + r) * k + p0 + p] : 0;
    }
    for (int i = tid; i < L * S; i += blockDim.x) {
      int p = i / L, c = i % L;
      b[p][c] = p0 + p < k && c0 + c < m ? B[(p0 + p) * m + c0 + c] : 0;
    }
    __syncthreads();
#pragma unroll 4
    for (int p = 0; p < S; ++p) {
      float u[8], v[4];
      for (int i = 0; i < 8; ++i) u[i] = a[p][ty + 8 * i];
      for (int j = 0; j < 4; ++j) v[j] = b[p][tx + 16 * j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) acc[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) {
      int r = r0 + ty + 8 * i, c = c0 + tx + 16 * j;
      if (r < n && c < m) C[r * m + c] = acc[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), 128>>>(A, B, C, n, m, k);
}
