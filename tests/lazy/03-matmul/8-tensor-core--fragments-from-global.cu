// lazy: matmul/8-tensor-core
// expect: gate global_load_sectors * 32 <= 1.05 * (4 * n * m * k / 64 + 8 * n * m)
// Each warp loads its fragments straight from global memory: tensor cores without tiles.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply_add(const half* A, const half* B, const float* C, float* D, int m, int k) {
  int row0 = blockIdx.y * 16;
  int col0 = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v;
  wmma::load_matrix_sync(sum, C + row0 * m + col0, m, wmma::mem_row_major);
  for (int p = 0; p < k; p += 16) {
    wmma::load_matrix_sync(u, A + row0 * k + p, k);
    wmma::load_matrix_sync(v, B + p * m + col0, m);
    wmma::mma_sync(sum, u, v, sum);
  }
  wmma::store_matrix_sync(D + row0 * m + col0, sum, m, wmma::mem_row_major);
}

// Shapes that are no multiple of 16: one output per thread.
__global__ void multiply_add_any(const half* A, const half* B, const float* C, float* D, int n, int m,
                                 int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= m) return;
  float sum = C[row * m + col];
  for (int p = 0; p < k; ++p) sum += __half2float(A[row * k + p]) * __half2float(B[p * m + col]);
  D[row * m + col] = sum;
}

void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  if (n % 16 == 0 && m % 16 == 0 && k % 16 == 0)
    multiply_add<<<dim3(m / 16, n / 16), 32>>>(A, B, C, D, m, k);
  else
    multiply_add_any<<<dim3((m + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(A, B, C, D, n, m, k);
}
