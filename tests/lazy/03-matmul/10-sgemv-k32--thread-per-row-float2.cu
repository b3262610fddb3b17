// lazy: matmul/10-sgemv-k32
// expect: gate global_load_sectors * 32 <= 1.05 * 8 * n * k
// Still one thread per row, now with float2: lanes read 8 bytes each, a whole row apart.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const float* a = A + row * k;
  float sum = 0.0f;
  if (k % 2 == 0) {
    for (int p = 0; p < k; p += 2) {
      float2 u = *reinterpret_cast<const float2*>(a + p);
      float2 v = *reinterpret_cast<const float2*>(x + p);
      sum += u.x * v.x + u.y * v.y;
    }
  } else {
    for (int p = 0; p < k; ++p) sum += a[p] * x[p];
  }
  y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  multiply<<<(n + 255) / 256, 256>>>(A, x, y, n, k);
}
