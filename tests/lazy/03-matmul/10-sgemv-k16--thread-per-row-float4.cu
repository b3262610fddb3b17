// lazy: matmul/10-sgemv-k16
// expect: gate global_load_sectors * 32 <= 1.05 * 6 * n * k
// A thread per row, 16 bytes at a time: each request still reads pieces of 32 rows.

__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  if (k % 4 == 0) {
    const float4* a4 = reinterpret_cast<const float4*>(A + (size_t)row * k);
    const float4* x4 = reinterpret_cast<const float4*>(x);
    for (int p = 0; p < k / 4; ++p) {
      float4 a = a4[p], b = x4[p];
      sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
  } else {
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * x[p];
  }
  y[row] = sum;
}
void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  multiply<<<(n + 127) / 128, 128>>>(A, x, y, n, k);
}
