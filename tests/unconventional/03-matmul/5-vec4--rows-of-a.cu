// unconventional: matmul/5-vec4
// A's tile is not transposed: a thread reads four steps of each of its rows at once.

constexpr int L = 128, S = 8;
__global__ void __launch_bounds__(256)
    multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float4 a[L][S / 4], b[S][L / 4];
  int t = threadIdx.x, x = t & 15, y = t >> 4, row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  float sum[8][8] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    {
      int r = row0 + t / 2, c = p0 + t % 2 * 4;
      float4 q = {0, 0, 0, 0};
      if (r < n && c < k) {
        const float* g = A + r * k + c;
        if (k % 4 == 0)
          q = *(const float4*)g;
        else {
          q.x = g[0];
          if (c + 1 < k) q.y = g[1];
          if (c + 2 < k) q.z = g[2];
          if (c + 3 < k) q.w = g[3];
        }
      }
      a[t / 2][t % 2] = q;
    }
    {
      int r = p0 + t / 32, c = col0 + t % 32 * 4;
      float4 q = {0, 0, 0, 0};
      if (r < k && c < m) {
        const float* g = B + r * m + c;
        if (m % 4 == 0)
          q = *(const float4*)g;
        else {
          q.x = g[0];
          if (c + 1 < m) q.y = g[1];
          if (c + 2 < m) q.z = g[2];
          if (c + 3 < m) q.w = g[3];
        }
      }
      b[t / 32][t % 32] = q;
    }
    __syncthreads();
#pragma unroll
    for (int h = 0; h < S / 4; ++h) {
      float4 u[8];
      for (int i = 0; i < 8; ++i) u[i] = a[y * 8 + i][h];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        float4 v[2] = {b[h * 4 + q][2 * x], b[h * 4 + q][2 * x + 1]};
        for (int i = 0; i < 8; ++i) {
          float f = q == 0 ? u[i].x : q == 1 ? u[i].y : q == 2 ? u[i].z : u[i].w;
          for (int j = 0; j < 2; ++j) {
            sum[i][4 * j] += f * v[j].x;
            sum[i][4 * j + 1] += f * v[j].y;
            sum[i][4 * j + 2] += f * v[j].z;
            sum[i][4 * j + 3] += f * v[j].w;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      int row = row0 + y * 8 + i, col = col0 + x * 8 + j;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + 127) / 128, (n + 127) / 128), 256>>>(A, B, C, n, m, k);
}
