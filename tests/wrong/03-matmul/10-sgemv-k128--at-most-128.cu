// wrong: matmul/10-sgemv-k128
// mistake: A row is taken to have 128 elements: longer ones lose the rest.
// expect: gate_failed gate right == 1 (k=260, n=37)
// y = A x with rows of 128: one warp per row, one float4 per lane. A row is one request of 16
// sectors instead of four of 4: a quarter of the load instructions for the same bytes.
// Bound by DRAM.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;
  const float* a = A + row * k;
  float sum = 0.0f;
  if (k % 4 == 0) {  // every row starts on 16 bytes

    if (const int p = 4 * lane; p < k) {
      float4 u = *reinterpret_cast<const float4*>(a + p);
      float4 v = *reinterpret_cast<const float4*>(x + p);
      sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
  } else {
    for (int p = lane; p < k; p += 32) sum += a[p] * x[p];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(32, 8);
  multiply<<<(n + 7) / 8, block>>>(A, x, y, n, k);
}
