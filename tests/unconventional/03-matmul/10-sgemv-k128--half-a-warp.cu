// unconventional: matmul/10-sgemv-k128
// Sixteen lanes per row, two float4 each.
__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  const int lane = threadIdx.x % 16;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16; row - (row & 1) < n;
       row += gridDim.x * blockDim.x / 16) {
    const float* a = A + size_t(min(row, n - 1)) * k;
    float sum = 0;
    if (k % 4 == 0) {
#pragma unroll 2
      for (int p = lane; p < k / 4; p += 16) {
        const float4 u = __ldcs(reinterpret_cast<const float4*>(a) + p);
        const float4 v = reinterpret_cast<const float4*>(x)[p];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
      }
    } else {
      for (int p = lane; p < k; p += 16) sum += a[p] * x[p];
    }
    for (int d = 8; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, 16);
    if (lane == 0 && row < n) y[row] = sum;
  }
}

void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n > 0) multiply<<<(n + 15) / 16, 256>>>(A, x, y, n, k);
}
