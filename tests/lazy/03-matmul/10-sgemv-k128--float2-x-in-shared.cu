// lazy: matmul/10-sgemv-k128
// expect: gate 512 * global_load_requests <= 1.4 * global_load_lane_bytes
// x waits in shared memory, so A may take two requests per row: 8 bytes per lane.

__global__ void multiply(const float* A, const float* x, float* y, int n, int k) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < k; i += blockDim.x) s[i] = x[i];
  __syncthreads();
  int lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 32 + threadIdx.x / 32; row < n; row += gridDim.x * 32) {
    float sum = 0;
    if (k % 4 == 0) {
#pragma unroll 2
      for (int p = 2 * lane; p < k; p += 64) {
        float2 a = *reinterpret_cast<const float2*>(A + (size_t)row * k + p);
        sum += a.x * s[p] + a.y * s[p + 1];
      }
    } else
      for (int p = lane; p < k; p += 32) sum += A[(size_t)row * k + p] * s[p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
  }
}
void sgemv(const float* A, const float* x, float* y, int n, int k) {
  if (n == 0) return;
  int blocks = (n + 31) / 32;
  if (blocks > 132) blocks = 132;
  multiply<<<blocks, 1024, k * 4>>>(A, x, y, n, k);
}
