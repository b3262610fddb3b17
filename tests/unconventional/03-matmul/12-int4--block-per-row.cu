// unconventional: matmul/12-int4
// A block per row; a lane loads the 32 weights of one scale at once.

__device__ float unpack(unsigned w, int i) { return (float)((int)(w >> (4 * i) & 0xf) - 8); }
__global__ void __launch_bounds__(64)
    gemv(const uint4* packed, const float* scale, const float4* x, float* y, int cols) {
  const int groups = cols / 32;
  const size_t row = blockIdx.x;
  float sum = 0;
  for (int g = threadIdx.x; g < groups; g += 64) {
    uint4 q = packed[row * groups + g];
    unsigned w[4] = {q.x, q.y, q.z, q.w};
    float part = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float4 lo = x[g * 8 + 2 * j], hi = x[g * 8 + 2 * j + 1];
      part += unpack(w[j], 0) * lo.x + unpack(w[j], 1) * lo.y + unpack(w[j], 2) * lo.z +
              unpack(w[j], 3) * lo.w;
      part += unpack(w[j], 4) * hi.x + unpack(w[j], 5) * hi.y + unpack(w[j], 6) * hi.z +
              unpack(w[j], 7) * hi.w;
    }
    sum += scale[row * groups + g] * part;
  }
  __shared__ float other;
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x == 32) other = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = sum + other;
}
void sgemv(const unsigned* packed, const float* scale, const float* x, float* y, int rows,
           int cols) {
  if (rows == 0) return;
  gemv<<<rows, 64>>>((const uint4*)packed, scale, (const float4*)x, y, cols);
}
