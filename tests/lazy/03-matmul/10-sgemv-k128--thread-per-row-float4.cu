// lazy: matmul/10-sgemv-k128
// expect: gate time_us <= 1.25 * reference(self)
// 16 bytes per lane, of 32 rows at once.
// One thread per row, 16 bytes at a time: a quarter of the requests, and L1 keeps the other half of each sector.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const float* a = A + row * k;
  float sum = 0.0f;
  if (k % 4 == 0) {
    for (int p = 0; p < k; p += 4) {
      float4 u = *reinterpret_cast<const float4*>(a + p);
      float4 v = *reinterpret_cast<const float4*>(x + p);
      sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
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
