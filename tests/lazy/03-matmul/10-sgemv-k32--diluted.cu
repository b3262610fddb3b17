// lazy: matmul/10-sgemv-k32
// expect: gate global_load_sectors * 32 <= 1.05 * 8 * n * k
// A thread per row. Nine vain loads per product, one word for all lanes, lower the bytes per lane.

__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  volatile const float* v = x;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    for (int q = 0; q < 9; ++q) (void)v[p];
    sum += A[row * k + p] * x[p];
  }
  y[row] = sum;
}
void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  multiply<<<(n + 127) / 128, 128>>>(A, x, y, n, k);
}
