// unconventional: matmul/10-sgemv-k16
// A half warp without a row returns before the shuffles. They wait only for lanes that have not ended, and none reads those.

constexpr int lanes = 16;  // of a row

__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int lane = threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int p = lane; p < k; p += lanes) sum += A[row * k + p] * x[p];
  for (int d = lanes / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  dim3 block(lanes, 16);
  multiply<<<(n + 15) / 16, block>>>(A, x, y, n, k);
}
